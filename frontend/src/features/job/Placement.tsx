import { useQuery } from '@tanstack/react-query'
import { placementQuery } from '~/api/queries'
import type { JobSummary, NodeView } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { NodeBox, NodeBoxes, cellsOfNode, type GpuCell } from '~/shared/gpu'
import { Card } from '~/shared/layout'
import { NodeLink, sayDomain } from '~/shared/names'
import { useTeamColours } from '~/shared/teams'

const SHOWN = 24

/** Where the replicas are: the job's own GPUs in its team's colour, all others pale. */
export function Placement({ id, job }: { id: string; job: JobSummary }) {
  const { t } = useI18n()
  const colour = useTeamColours()
  const nodes = useQuery(placementQuery(id)).data
  if (!nodes || nodes.length === 0) return null
  const cells = (node: NodeView): GpuCell[] =>
    cellsOfNode(
      node,
      () => colour(job.team),
      (gpu) => gpu.name ?? gpu.team ?? t(`cell.${gpu.status}`),
    ).map((cell, i) =>
      cell.kind === 'busy' && node.gpus[i]?.job !== job.id ? { ...cell, kind: 'free' } : cell,
    )
  const own = (node: NodeView) => node.gpus.filter((gpu) => gpu.job === job.id).length
  return (
    <Card
      title={t('placement.title')}
      aside={
        <span className="dim small">
          <bdi>{whereAll(nodes)}</bdi>
        </span>
      }
    >
      <NodeBoxes>
        {nodes.slice(0, SHOWN).map((node) => (
          <NodeBox
            key={node.id}
            name={<NodeLink id={node.id} />}
            note={<T k="placement.gpus" v={{ n: own(node), total: node.total }} />}
            cells={cells(node)}
          />
        ))}
      </NodeBoxes>
      {nodes.length > SHOWN && (
        <p className="dim small">
          <T k="waiting.moreNodes" v={{ n: nodes.length - SHOWN }} />
        </p>
      )}
    </Card>
  )
}

/** The innermost domain that holds all the nodes. */
export function whereAll(nodes: readonly Pick<NodeView, 'domain' | 'pool'>[]): string {
  const [first, ...rest] = nodes
  if (!first) return ''
  const shared = first.domain.filter((_, i) =>
    rest.every((node) => node.domain.slice(0, i + 1).join('/') === first.domain.slice(0, i + 1).join('/')),
  )
  return [first.pool, sayDomain(shared.join('/'))].filter(Boolean).join(' / ')
}
