import { Button, CloseButton } from '@mantine/core'
import { useState } from 'react'
import { useNodeAction } from '~/api/actions'
import type { NodeView } from '~/api/types'
import { useMe } from '~/app/session'
import { T, useI18n } from '~/i18n'
import { sayBytes } from '~/shared/bytes'
import { GpuStrip, Swatch, cellsOfNode } from '~/shared/gpu'
import { Card, Facts } from '~/shared/layout'
import { JobLink, TeamName } from '~/shared/names'
import { useTeamColours } from '~/shared/teams'
import { Instant, Since } from '~/shared/time'
import { NodeDialog, type NodeAsking } from './NodeDialog'
import styles from './Cluster.module.css'

/** One node: what it is, who holds its GPUs, what is wrong with it, and what an admin can do. */
export function NodePanel({ node, onClose }: { node: NodeView; onClose: () => void }) {
  const { t, number, locale } = useI18n()
  const colour = useTeamColours()
  const me = useMe()
  return (
    <Card
      title={<bdi className="mono">{node.id}</bdi>}
      aside={<CloseButton aria-label={t('close')} onClick={onClose} size="sm" />}
    >
      <GpuStrip
        cells={cellsOfNode(
          node,
          (cell) => colour(cell.team),
          (cell) => t(`cell.${cell.status}`),
        )}
      />
      <Holders node={node} />
      <div style={{ marginBlockStart: 14 }}>
        <Facts
          rows={[
            [<T key="k" k="node.type" />, node.gpuType],
            [<T key="k" k="node.where" />, <bdi key="v">{node.domain.slice(0, -1).join(' / ')}</bdi>],
            [<T key="k" k="node.free" />, t('placement.gpus', { n: node.free, total: node.total })],
            [
              <T key="k" k="node.cpu" />,
              `${number(node.cpuMillis / 1000)}, ${sayBytes(node.memoryBytes, locale)}`,
            ],
            [<T key="k" k="node.state" />, <State key="v" node={node} />],
            [<T key="k" k="node.seen" />, <T key="v" k="ago" v={{ time: <Since at={node.seenAt} /> }} />],
          ]}
        />
      </div>
      {node.problems.map((problem) => (
        <p key={problem} className={styles.problem}>
          <bdi>{problem}</bdi>
        </p>
      ))}
      {node.cordon && (
        <p className="dim">
          <T
            k={`node.cordon.${node.cordon.kind as 'CORDON'}`}
            v={{ who: node.cordon.by, time: <Since at={node.cordon.since} />, why: node.cordon.why }}
          />{' '}
          {node.cordon.deadline && <T k="node.deadline" v={{ at: <Instant at={node.cordon.deadline} /> }} />}
        </p>
      )}
      {me.platformAdmin && <AdminButtons node={node} />}
    </Card>
  )
}

function State({ node }: { node: NodeView }) {
  if (!node.ready) return <T k="node.notReady" />
  return <T k={node.takesReplicas ? 'node.open' : 'node.closed'} />
}

function Holders({ node }: { node: NodeView }) {
  const colour = useTeamColours()
  const jobs = new Map<number, { team: string; name?: string | null; gpus: number; reserved: boolean }>()
  for (const gpu of node.gpus) {
    if (gpu.job == null) continue
    const found = jobs.get(gpu.job) ?? {
      team: gpu.team ?? '',
      name: gpu.name,
      gpus: 0,
      reserved: gpu.status === 'reserved',
    }
    found.gpus++
    jobs.set(gpu.job, found)
  }
  return (
    <ul className={styles.gpus}>
      {[...jobs].map(([id, held]) => (
        <li key={id}>
          <Swatch kind={held.reserved ? 'reserved' : 'busy'} colour={colour(held.team)} />
          <span>
            <JobLink id={id} name={held.name} /> <TeamName path={held.team} />{' '}
            <span className="dimmer">
              <T k={held.reserved ? 'gpu.reserved' : 'gpus'} v={{ n: held.gpus }} />
            </span>
          </span>
        </li>
      ))}
    </ul>
  )
}

function AdminButtons({ node }: { node: NodeView }) {
  const { t } = useI18n()
  const [asking, setAsking] = useState<NodeAsking | null>(null)
  const act = useNodeAction(node.id)
  return (
    <div className={styles.buttons}>
      {node.cordon ? (
        <Button
          loading={act.isPending}
          onClick={() => act.mutate({ action: node.cordon?.kind === 'QUARANTINE' ? 'return' : 'uncordon' })}
        >
          {t('node.uncordon')}
        </Button>
      ) : (
        <Button onClick={() => setAsking('cordon')}>{t('node.cordon')}</Button>
      )}
      {node.cordon?.kind !== 'DRAIN' && <Button onClick={() => setAsking('drain')}>{t('node.drain')}</Button>}
      {!node.ready && <Button onClick={() => setAsking('confirm-gone')}>{t('node.confirmGone')}</Button>}
      {asking && <NodeDialog asking={asking} node={node.id} onClose={() => setAsking(null)} />}
    </div>
  )
}
