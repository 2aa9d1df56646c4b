import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { nodesQuery, poolsQuery } from '~/api/queries'
import type { PoolView } from '~/api/types'
import type { ColourBy } from '~/app/search'
import { useI18n, type Translate } from '~/i18n'
import { Empty, QueryView } from '~/shared/feedback'
import { Columns, PageHead } from '~/shared/layout'
import { bySize } from '~/shared/pools'
import { ClusterMap } from './ClusterMap'
import { NodePanel } from './NodePanel'
import { SideFacts } from './SideFacts'
import { blocksOf } from './layout'
import styles from './Cluster.module.css'

export function Cluster() {
  const { t } = useI18n()
  const pools = useQuery(poolsQuery())
  return (
    <QueryView query={pools} lines={10}>
      {(all) =>
        all.length === 0 ? (
          <Empty title={t('cluster.none')}>{t('cluster.none.next')}</Empty>
        ) : (
          <OfPools pools={bySize(all)} />
        )
      }
    </QueryView>
  )
}

function OfPools({ pools }: { pools: readonly PoolView[] }) {
  const { t } = useI18n()
  const search = useSearch({ from: '/frame/cluster' })
  const navigate = useNavigate({ from: '/cluster' })
  const nodes = useQuery(nodesQuery())
  const holder = nodes.data?.find((node) => node.id === search.node)
  const pool = pools.find((p) => p.id === (search.pool ?? holder?.pool)) ?? pools[0]
  const own = useMemo(
    () => nodes.data?.filter((node) => node.pool === pool?.id) ?? [],
    [nodes.data, pool?.id],
  )
  const blocks = useMemo(() => (pool ? blocksOf(pool, own) : []), [pool, own])
  const by = search.by ?? 'team'
  const set = (part: Partial<typeof search>) =>
    void navigate({ search: (old) => ({ ...old, ...part }), replace: true, resetScroll: false })
  if (!pool) return null
  const picked = own.find((node) => node.id === search.node)
  return (
    <>
      <PageHead
        title={t('nav.cluster')}
        facts={facts(pool, blocks.length, blocks.flatMap((b) => b.racks).length, t)}
      />
      <div className={styles.tools}>
        {pools.length > 1 && (
          <SegmentedControl
            value={pool.id}
            onChange={(id) => set({ pool: id, node: undefined })}
            data={pools.map((p) => ({ value: p.id, label: p.displayName || p.id }))}
            aria-label={t('job.pool')}
          />
        )}
        <SegmentedControl
          value={by}
          onChange={(next) => set({ by: next === 'team' ? undefined : (next as ColourBy) })}
          data={(['team', 'job', 'health'] as const).map((value) => ({
            value,
            label: t(`cluster.by.${value}`),
          }))}
          aria-label={t('cluster.by')}
        />
      </div>
      <Columns
        side={
          <>
            {picked && <NodePanel node={picked} onClose={() => set({ node: undefined })} />}
            <SideFacts pool={pool} nodes={own} by={by} />
          </>
        }
      >
        <QueryView query={nodes} lines={10}>
          {() =>
            own.length === 0 ? (
              <Empty title={t('cluster.noNodes')}>{t('cluster.noNodes.next')}</Empty>
            ) : (
              <ClusterMap
                blocks={blocks}
                outer={
                  pool.levels.findIndex((l) => l.name === 'rack') === 1 ? pool.levels[0]?.name : undefined
                }
                by={by}
                picked={search.node}
                onPick={(node) => set({ node })}
              />
            )
          }
        </QueryView>
      </Columns>
    </>
  )
}

function facts(pool: PoolView, blocks: number, racks: number, t: Translate): string[] {
  const parts = [
    t('gpu.busy', { n: pool.busy + pool.foreign }),
    pool.reserved > 0 && t('gpu.reserved', { n: pool.reserved }),
    t('gpu.free', { n: pool.free }),
    pool.unavailable > 0 && t('gpu.closed', { n: pool.unavailable }),
    pool.broken > 0 && t('gpu.broken', { n: pool.broken }),
  ].filter(Boolean)
  const size = [
    pool.displayName || pool.id,
    pool.levels.length > 2 && t('levels.block', { n: blocks }),
    pool.levels.length > 1 && t('levels.rack', { n: racks }),
    t('levels.node', { n: pool.nodes }),
  ].filter(Boolean)
  return [size.join(t('comma')), `${t('gpus', { n: pool.total })}: ${parts.join(t('comma'))}`]
}
