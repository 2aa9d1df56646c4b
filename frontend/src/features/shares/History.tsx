import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, lazy, useCallback, useState } from 'react'
import { get } from '~/api/client'
import type { ShareView } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { colourVar } from '~/shared/gpu'
import { Empty, Loading, QueryView } from '~/shared/feedback'
import { Card } from '~/shared/layout'
import { sayPath } from '~/shared/names'
import { useTeamColours } from '~/shared/teams'
import { Instant, clusterNow, sayInstant } from '~/shared/time'
import { PlainTable } from '~/shared/table'
import type { Ink } from '~/shared/chart/Chart'
import { ChartOrTable, type Shown } from '~/shared/chart/ChartOrTable'
import { axisTooltip, baseline } from '~/shared/chart/axes'
import { series } from './series'

const Chart = lazy(() => import('~/shared/chart/Chart'))
const HOURS = { '1h': 1, '6h': 6, '1d': 24, '7d': 168 } as const
type Span = keyof typeof HOURS

/** What each team held over time, against what it deserved. */
export function History({ pool }: { pool: string }) {
  const { t } = useI18n()
  const [span, setSpan] = useState<Span>('6h')
  const [as, setAs] = useState<Shown>('chart')
  const query = useQuery({
    queryKey: ['history', pool, span],
    queryFn: ({ signal }) => {
      const to = clusterNow()
      const from = to - HOURS[span] * 3_600_000
      const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
      return get<ShareView[]>('/shares/history', { pool, ...range }, signal)
    },
    refetchInterval: 60_000,
  })
  return (
    <Card
      title={t('shares.history')}
      aside={
        <span style={{ display: 'flex', gap: 8 }}>
          <SegmentedControl size="xs" value={span} onChange={setSpan} data={Object.keys(HOURS) as Span[]} />
          <ChartOrTable value={as} onChange={setAs} />
        </span>
      }
    >
      <QueryView query={query}>
        {(rows) => {
          if (rows.length === 0) return <Empty title={t('shares.history.none')} />
          return (
            <>
              {as === 'chart' ? <Lines rows={rows} /> : <Numbers rows={rows} />}
              <Young rows={rows} span={span} />
            </>
          )
        }}
      </QueryView>
    </Card>
  )
}

/** A young server has less to show than was asked for: it says so, as the axis begins where the numbers do. */
function Young({ rows, span }: { rows: readonly ShareView[]; span: Span }) {
  const first = Math.min(...rows.map((row) => new Date(row.asOf).getTime()))
  const missing = first - (clusterNow() - HOURS[span] * 3_600_000)
  if (missing < (HOURS[span] * 3_600_000) / 20) return null
  return (
    <p className="dimmer small">
      <T k="shares.history.since" v={{ at: <Instant at={new Date(first).toISOString()} /> }} />
    </p>
  )
}

function Lines({ rows }: { rows: readonly ShareView[] }) {
  const { t, locale } = useI18n()
  const colour = useTeamColours()
  const draw = useCallback(
    (ink: Ink) => ({
      grid: { left: 46, right: 12, top: 28, bottom: 26 },
      tooltip: axisTooltip(ink),
      xAxis: {
        type: 'time',
        ...baseline(ink),
      },
      yAxis: {
        type: 'value',
        name: t('job.gpus'),
        minInterval: 1,
        nameTextStyle: { color: ink.faint },
        axisLabel: { color: ink.faint },
        splitLine: { lineStyle: { color: ink.line } },
      },
      series: series(rows).map(({ team, points }) => ({
        type: 'line',
        name: sayPath(team),
        step: 'end',
        showSymbol: false,
        data: points,
        color: ink.of(/--(t\d)/.exec(colourVar(colour(team)))?.[1] ?? 't0'),
      })),
    }),
    [rows, t, colour],
  )
  const last = rows.at(-1)
  return (
    <Suspense fallback={<Loading lines={6} />}>
      <Chart
        label={t('shares.history.label', {
          at: last ? sayInstant(last.asOf, locale, new Date(clusterNow())) : '',
        })}
        height={260}
        draw={draw}
      />
    </Suspense>
  )
}

function Numbers({ rows }: { rows: readonly ShareView[] }) {
  const { t, number, locale } = useI18n()
  const all = series(rows)
  const times = [...new Set(rows.map((r) => r.asOf))].sort().reverse().slice(0, 60)
  return (
    <PlainTable
      label={t('shares.history')}
      columns={[{ header: t('events.at') }, ...all.map((s) => ({ header: sayPath(s.team), numeric: true }))]}
      rows={times.map((at) => ({
        key: at,
        cells: [
          sayInstant(at, locale, new Date(clusterNow()), true),
          ...all.map((s) => {
            const point = s.points.find(([when]) => when === at)
            return point ? number(point[1]) : ''
          }),
        ],
      }))}
    />
  )
}
