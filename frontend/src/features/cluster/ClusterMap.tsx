import { memo, useMemo } from 'react'
import type { Cell, NodeView } from '~/api/types'
import type { ColourBy } from '~/app/search'
import { T, useI18n } from '~/i18n'
import { GpuStrip, cellsOfNode } from '~/shared/gpu'
import { sayLevel } from '~/shared/reasons'
import { sayPath, shortNode } from '~/shared/names'
import { colourOfId, useTeamColours } from '~/shared/teams'
import { type Block, type Rack } from './layout'
import styles from './Cluster.module.css'

type ColourOf = (cell: { job?: number | null; team?: string | null }) => number

export function ClusterMap({
  blocks,
  outer,
  by,
  picked,
  onPick,
}: {
  blocks: readonly Block[]
  /** Name of the level that a block stands for, when there is just one. */
  outer: string | undefined
  by: ColourBy
  picked: string | undefined
  onPick: (node: string) => void
}) {
  const { t } = useI18n()
  const ofTeam = useTeamColours()
  const colourOf = useMemo<ColourOf>(
    () => (by === 'job' ? (cell) => colourOfId(cell.job ?? 0) : (cell) => ofTeam(cell.team)),
    [by, ofTeam],
  )
  return (
    <div className={styles.map} data-testid="map">
      {blocks.map((block) => (
        <section key={block.name ?? ''} aria-label={block.name ?? undefined}>
          {block.name !== null && (
            <h3 className={styles.blockHead}>
              <span>
                {outer && sayLevel(outer, t)} <bdi>{block.name}</bdi>
              </span>
              <span className="dimmer">
                <T k="gpus" v={{ n: block.total }} />
              </span>
            </h3>
          )}
          <div className={styles.racks}>
            {block.racks.map((rack) => (
              <RackBox
                key={rack.name}
                rack={rack}
                by={by}
                colourOf={colourOf}
                picked={picked}
                onPick={onPick}
              />
            ))}
          </div>
        </section>
      ))}
    </div>
  )
}

function RackBox({
  rack,
  ...rest
}: {
  rack: Rack
  by: ColourBy
  colourOf: ColourOf
  picked: string | undefined
  onPick: (node: string) => void
}) {
  const { number } = useI18n()
  return (
    <div className={styles.rack} style={{ containIntrinsicSize: `auto ${36 + rack.nodes.length * 20}px` }}>
      {rack.name !== '' && (
        <div className={styles.rackHead}>
          <bdi>{rack.name}</bdi>
          <span title={`${rack.free} / ${rack.total}`}>{number(rack.total)}</span>
        </div>
      )}
      {rack.nodes.map((node) => (
        <NodeRow
          key={node.id}
          node={node}
          label={shortNode(node.id, rack.name)}
          by={rest.by}
          colourOf={rest.colourOf}
          picked={rest.picked === node.id}
          onPick={rest.onPick}
        />
      ))}
    </div>
  )
}

const NodeRow = memo(function NodeRow({
  node,
  label,
  by,
  colourOf,
  picked,
  onPick,
}: {
  node: NodeView
  label: string
  by: ColourBy
  colourOf: ColourOf
  picked: boolean
  onPick: (node: string) => void
}) {
  const { t } = useI18n()
  const say = (cell: Cell) =>
    cell.status === 'busy' || cell.status === 'reserved'
      ? [t(`cell.${cell.status}`), cell.job, cell.name, cell.team && sayPath(cell.team)]
          .filter(Boolean)
          .join(t('comma'))
      : t(`cell.${cell.status}`)
  const drawn = cellsOfNode(node, colourOf, say)
  // By health, what is well is calm and even; only trouble shows.
  const cells =
    by === 'health'
      ? drawn.map((c) => (c.kind === 'broken' || c.kind === 'closed' ? c : { ...c, kind: 'free' as const }))
      : drawn
  return (
    <button
      type="button"
      className={styles.node}
      aria-pressed={picked}
      data-closed={!node.takesReplicas || undefined}
      title={node.id}
      onClick={() => onPick(node.id)}
    >
      <span className={styles.name}>{label}</span>
      <GpuStrip cells={cells} dense />
    </button>
  )
})
