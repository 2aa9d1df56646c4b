import type { NodeGapView, ReasonView } from '~/api/types'
import { T } from '~/i18n'
import { NodeBox, NodeBoxes, cellsOfGap } from '~/shared/gpu'
import { shortNode } from '~/shared/names'
import { useTeamColours } from '~/shared/teams'
import { Since } from '~/shared/time'
import styles from './Waiting.module.css'

const SHOWN = 12

/** The nodes of the best place: what is ready for the job, and what is missing and who holds it. */
export function GapStrips({ reason, gaps }: { reason: ReasonView; gaps: readonly NodeGapView[] }) {
  const colour = useTeamColours()
  const missing = new Set(gaps.map((gap) => gap.node))
  const rest = reason.nodes.length - SHOWN
  return (
    <div className={styles.strips}>
      <NodeBoxes>
        {reason.nodes.slice(0, SHOWN).map((node) => (
          <NodeBox
            key={node.node}
            name={shortNode(node.node, reason.domain)}
            note={<Note node={node} missing={missing.has(node.node)} />}
            tone={missing.has(node.node) ? 'no' : 'ok'}
            cells={cellsOfGap(node, (holder) => colour(holder.team))}
          />
        ))}
      </NodeBoxes>
      {rest > 0 && (
        <p className="dim small">
          <T k="waiting.moreNodes" v={{ n: rest }} />
        </p>
      )}
    </div>
  )
}

function Note({ node, missing }: { node: NodeGapView; missing: boolean }) {
  if (!missing) return <T k={node.reserved > 0 ? 'waiting.node.kept' : 'waiting.node.free'} />
  const holder = [...node.holders].sort((a, b) => b.gpus - a.gpus)[0]
  if (!holder) return <T k="waiting.node.closed" />
  return (
    <>
      <bdi>{holder.team ? holder.team.split('/').at(-1) : <T k="why.missing.foreign" />}</bdi>
      {holder.expectedEnd && (
        <>
          <T k="comma" />
          <T k="waiting.node.left" v={{ time: <Since at={holder.expectedEnd} until /> }} />
        </>
      )}
    </>
  )
}
