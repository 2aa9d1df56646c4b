import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, lazy, useCallback, useState } from 'react'
import { calibrationQuery } from '~/api/queries'
import type { CalibrationView } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { Empty, Loading, QueryView } from '~/shared/feedback'
import { Card } from '~/shared/layout'
import { PlainTable } from '~/shared/table'
import { sayDuration } from '~/shared/time'
import type { Ink } from '~/shared/chart/Chart'
import { ChartOrTable, type Shown } from '~/shared/chart/ChartOrTable'
import { axisTooltip, baseline } from '~/shared/chart/axes'
import { byDay, type Day } from './calibration'
import styles from './Operations.module.css'

const Chart = lazy(() => import('~/shared/chart/Chart'))
const DAYS = ['7', '30', '90'] as const
/** What the shares should be. */
const RIGHT = { p50: 0.5, p90: 0.9 }

/** How honest expected starts were: of the starts of a day, how many came by what had been said. */
export function Calibration() {
  const { t } = useI18n()
  const [days, setDays] = useState<string>('7')
  const [as, setAs] = useState<Shown>('chart')
  const query = useQuery(calibrationQuery(Number(days)))
  return (
    <Card
      title={t('calibration.title')}
      aside={
        <span className={styles.choices}>
          <SegmentedControl
            size="xs"
            aria-label={t('calibration.span')}
            value={days}
            onChange={setDays}
            data={DAYS.map((n) => ({ value: n, label: t('calibration.days', { n: Number(n) }) }))}
          />
          <ChartOrTable value={as} onChange={setAs} />
        </span>
      }
    >
      <QueryView query={query}>
        {(found) => {
          const shown = byDay(found.days)
          if (shown.length === 0) return <Empty title={t('calibration.none')} />
          return (
            <div data-testid="calibration">
              <Summary of={found} />
              {as === 'chart' ? <Lines days={shown} /> : <Numbers days={shown} />}
            </div>
          )
        }}
      </QueryView>
    </Card>
  )
}

function Summary({ of: { total } }: { of: CalibrationView }) {
  const { t, number } = useI18n()
  return (
    <>
      <p>
        <T
          k="calibration.summary"
          v={{
            n: total.starts,
            p50: number(percent(total.insideP50 ?? 0)),
            p90: number(percent(total.insideP90 ?? 0)),
            error: sayDuration(Math.round(total.medianErrorSeconds), t),
          }}
        />
      </p>
      <p className="dimmer small">
        <T k="calibration.means" />
      </p>
    </>
  )
}

function percent(share: number): number {
  return Math.round(share * 100)
}

function Lines({ days }: { days: readonly Day[] }) {
  const { t } = useI18n()
  const draw = useCallback(
    (ink: Ink) => ({
      grid: { left: 46, right: 46, top: 16, bottom: 26 },
      tooltip: { ...axisTooltip(ink), valueFormatter: (value: unknown) => `${String(value)}%` },
      xAxis: {
        type: 'category',
        data: days.map((d) => d.day.slice(5)),
        ...baseline(ink),
      },
      yAxis: {
        type: 'value',
        min: 0,
        max: 100,
        interval: 25,
        axisLabel: { color: ink.faint, formatter: '{value}%' },
        splitLine: { lineStyle: { color: ink.line } },
      },
      series: (['p90', 'p50'] as const).map((which) => ({
        type: 'line',
        name: t(`calibration.${which}`),
        symbolSize: 7,
        data: days.map((d) => percent(d[which])),
        color: ink.of(which === 'p50' ? 't1' : 't2'),
        markLine: {
          silent: true,
          symbol: 'none',
          lineStyle: { type: 'dashed', color: ink.of(which === 'p50' ? 't1' : 't2') },
          label: { color: ink.faint, formatter: `${percent(RIGHT[which])}%` },
          data: [{ yAxis: percent(RIGHT[which]) }],
        },
      })),
    }),
    [days, t],
  )
  return (
    <>
      <Suspense fallback={<Loading lines={5} />}>
        <Chart label={t('calibration.label')} height={200} draw={draw} />
      </Suspense>
      <p className={styles.legend}>
        {(['p50', 'p90'] as const).map((which) => (
          <span key={which} data-line={which}>
            <T k={`calibration.${which}`} />
          </span>
        ))}
        <span data-line="right">
          <T k="calibration.right" />
        </span>
      </p>
    </>
  )
}

function Numbers({ days }: { days: readonly Day[] }) {
  const { t, number } = useI18n()
  return (
    <PlainTable
      label={t('calibration.title')}
      columns={[
        { header: t('calibration.day') },
        { header: t('calibration.starts'), numeric: true },
        { header: t('calibration.p50'), numeric: true },
        { header: t('calibration.p90'), numeric: true },
      ]}
      rows={days.toReversed().map((d) => ({
        key: d.day,
        cells: [d.day, number(d.starts), `${number(percent(d.p50))}%`, `${number(percent(d.p90))}%`],
      }))}
    />
  )
}
