import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { poolsQuery, sharesQuery } from '~/api/queries'
import type { ShareView } from '~/api/types'
import { useMe } from '~/app/session'
import { T, useI18n } from '~/i18n'
import { Empty, QueryView } from '~/shared/feedback'
import { Card, PageHead } from '~/shared/layout'
import { bySize } from '~/shared/pools'
import { ShareLegend } from '~/shared/share'
import { ShareRows } from './ShareRows'
import { ShareTable } from './ShareTable'
import { WhyOrder } from './WhyOrder'
import { History } from './History'
import styles from './Shares.module.css'

export function Shares() {
  const { t } = useI18n()
  const { pool: wanted } = useSearch({ from: '/frame/shares' })
  const navigate = useNavigate({ from: '/shares' })
  const shares = useQuery(sharesQuery())
  const pools = bySize(useQuery(poolsQuery()).data ?? [])
  const pool = wanted ?? pools[0]?.id ?? shares.data?.[0]?.pool
  const rows = shares.data?.filter((row) => row.pool === pool) ?? []
  const capacity = rows[0]?.capacity
  const name = pools.find((p) => p.id === pool)?.displayName ?? pool
  return (
    <>
      <PageHead
        title={t('nav.shares')}
        facts={name && capacity !== undefined ? [`${name}, ${t('gpus', { n: capacity })}`] : []}
        actions={
          pools.length > 1 && (
            <SegmentedControl
              value={pool}
              onChange={(next) => void navigate({ search: { pool: next }, replace: true })}
              data={pools.map((p) => ({ value: p.id, label: p.displayName || p.id }))}
              aria-label={t('job.pool')}
            />
          )
        }
      />
      <QueryView query={shares} lines={8}>
        {() => (rows.length === 0 ? <NoShares /> : <OfPool rows={rows} pool={pool ?? ''} />)}
      </QueryView>
    </>
  )
}

function OfPool({ rows, pool }: { rows: readonly ShareView[]; pool: string }) {
  const { t } = useI18n()
  const [as, setAs] = useState<'bars' | 'table'>('bars')
  const over = rows.some((row) => row.parent == null && row.promised > row.guaranteed)
  return (
    <div className={styles.page}>
      <Card
        title={t('shares.now')}
        aside={
          <SegmentedControl
            size="xs"
            value={as}
            onChange={setAs}
            data={[
              { value: 'bars', label: t('shares.bars') },
              { value: 'table', label: t('shares.table') },
            ]}
          />
        }
      >
        {over && (
          <p className={styles.over}>
            <T k="shares.over" />
          </p>
        )}
        {as === 'bars' ? <ShareRows rows={rows} /> : <ShareTable rows={rows} />}
        {as === 'bars' && <ShareLegend />}
      </Card>
      <WhyOrder rows={rows} pool={pool} />
      <History pool={pool} />
    </div>
  )
}

function NoShares() {
  const { t } = useI18n()
  const me = useMe()
  return (
    <Card>
      <Empty title={t('shares.none')} action={me.platformAdmin && <Link to="/teams">{t('nav.teams')}</Link>}>
        {t('shares.none.next')}
      </Empty>
    </Card>
  )
}
