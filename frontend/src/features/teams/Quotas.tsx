import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { poolsQuery, sharesQuery } from '~/api/queries'
import type { PoolView, QuotaView, TeamView } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { Fresh } from '~/shared/feedback'
import { Card } from '~/shared/layout'
import { bySize } from '~/shared/pools'
import { PlainTable } from '~/shared/table'
import { QuotaDialog } from './QuotaDialog'
import { sayShapes } from './sayShapes'
import styles from './Teams.module.css'

/** What a team is promised in each pool, beside what it deserves and uses now. */
export function Quotas({ team, mayEdit }: { team: TeamView; mayEdit: boolean }) {
  const { t, number } = useI18n()
  const pools = bySize(useQuery(poolsQuery()).data ?? [])
  const shares = useQuery(sharesQuery()).data ?? []
  const [editing, setEditing] = useState<PoolView | null>(null)
  const quotaOf = (pool: string) => team.quotas.find((q) => q.pool === pool)
  const orNone = (n: number | null | undefined, none: string) =>
    n == null ? <span className="dimmer">{none}</span> : number(n)
  return (
    <Card title={t('quotas.title')}>
      <PlainTable
        label={t('quotas.title')}
        columns={[
          { header: t('job.pool') },
          { header: t('quotas.guaranteed'), numeric: true },
          { header: t('quotas.limit'), numeric: true, narrow: false },
          { header: t('quotas.lendable'), numeric: true, narrow: false },
          { header: t('quotas.weight'), numeric: true, narrow: false },
          { header: t('shares.deserved'), numeric: true },
          { header: t('shares.allocated'), numeric: true, narrow: false },
          { header: <span className="hidden">{t('quotas.edit')}</span> },
        ]}
        rows={pools.map((pool) => {
          const quota: QuotaView | undefined = quotaOf(pool.id)
          const share = shares.find((s) => s.team === team.path && s.pool === pool.id)
          return {
            key: pool.id,
            cells: [
              <Link key="p" to="/shares" search={{ pool: pool.id }}>
                {pool.displayName || pool.id}
              </Link>,
              quota ? <Promised key="g" quota={quota} /> : <span className="dimmer">–</span>,
              quota ? orNone(quota.limit, t('quotas.noLimit')) : '',
              quota ? orNone(quota.lendable, t('quotas.all')) : '',
              quota ? number(quota.weight) : '',
              share ? <Fresh key="d" of={share.deserved} /> : '',
              share ? <Fresh key="a" of={share.allocated} /> : '',
              mayEdit && (
                <span key="e" className={styles.actions}>
                  <Button
                    size="xs"
                    onClick={() => setEditing(pool)}
                    aria-label={t(quota ? 'quotas.editOf' : 'quotas.setOf', { pool: pool.id })}
                  >
                    <T k={quota ? 'quotas.edit' : 'quotas.set'} />
                  </Button>
                </span>
              ),
            ],
          }
        })}
      />
      {editing && <QuotaDialog team={team} pool={editing} onClose={() => setEditing(null)} />}
    </Card>
  )
}

/** What is guaranteed, and below it which parts of that come in whole domains. */
function Promised({ quota }: { quota: QuotaView }) {
  const { t } = useI18n()
  return (
    <>
      <Fresh of={quota.guaranteed} />
      {quota.shapes.length > 0 && <div className="dim small">{sayShapes(quota.shapes, t)}</div>}
    </>
  )
}
