import { useQuery } from '@tanstack/react-query'
import { queueQuery } from '~/api/queries'
import type { ShareView } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { Card } from '~/shared/layout'
import { sayPath } from '~/shared/names'
import { PlainTable } from '~/shared/table'
import { standings } from './order'
import styles from './Shares.module.css'

/** Why one team is served before another, as a sum. */
export function WhyOrder({ rows, pool }: { rows: readonly ShareView[]; pool: string }) {
  const { t, number } = useI18n()
  const queue = useQuery(queueQuery(pool)).data?.find((q) => q.pool === pool)
  const order = standings(rows, queue?.jobs ?? [])
  const [first, second] = order
  if (!first) return null
  const ratio = (n: number) => (Number.isFinite(n) ? n.toFixed(2) : '∞')
  return (
    <Card
      title={
        second
          ? t('shares.why.two', { first: sayPath(first.team), second: sayPath(second.team) })
          : t('shares.why.one', { first: sayPath(first.team) })
      }
    >
      <p className={styles.why}>
        <T
          k="shares.why.first"
          v={{
            team: sayPath(first.team),
            n: first.allocated,
            deserved: first.deserved,
            next: first.next,
            ratio: ratio(first.ratio),
          }}
        />{' '}
        {second && (
          <T
            k={second.deserved > 0 ? 'shares.why.second' : 'shares.why.secondNone'}
            v={{
              team: sayPath(second.team),
              n: second.allocated,
              deserved: second.deserved,
              ratio: ratio(second.ratio),
            }}
          />
        )}
      </p>
      {order.length > 2 && (
        <div className={styles.sum}>
          <PlainTable
            label={t('shares.order')}
            columns={[
              { header: t('job.team') },
              { header: t('shares.allocated'), numeric: true },
              { header: t('shares.next'), numeric: true },
              { header: t('shares.deserved'), numeric: true },
              { header: t('shares.ratio'), numeric: true },
            ]}
            rows={order.map((s) => ({
              key: s.team,
              cells: [
                sayPath(s.team),
                number(s.allocated),
                number(s.next),
                number(s.deserved),
                ratio(s.ratio),
              ],
            }))}
          />
        </div>
      )}
    </Card>
  )
}
