import type { ShareView } from '~/api/types'
import { useI18n, type Key } from '~/i18n'
import { TeamName } from '~/shared/names'
import { PlainTable } from '~/shared/table'
import { asTree } from './order'

const COLUMNS = [
  'allocated',
  'deserved',
  'entitlement',
  'guaranteed',
  'surplus',
  'demand',
  'borrowed',
  'lent',
  'withheld',
  'weight',
] as const

/** The same shares as numbers, with those that gave them. */
export function ShareTable({ rows }: { rows: readonly ShareView[] }) {
  const { t, number } = useI18n()
  return (
    <PlainTable
      label={t('shares.now')}
      columns={[
        { header: t('job.team') },
        ...COLUMNS.map((c) => ({
          header: <span title={t(`shares.help.${c}` as Key)}>{t(`shares.${c}`)}</span>,
          numeric: true,
        })),
        { header: t('shares.limit'), numeric: true },
        { header: <span title={t('shares.help.usage')}>{t('shares.usage')}</span>, numeric: true },
      ]}
      rows={asTree(rows).map(({ row }) => ({
        key: row.team,
        cells: [
          <TeamName key="t" path={row.team} />,
          ...COLUMNS.map((c) => number(row[c])),
          row.limit == null ? '–' : number(row.limit),
          number(Math.round(row.usage * 10) / 10),
        ],
      }))}
    />
  )
}
