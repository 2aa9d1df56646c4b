import type { NodeGapView, NodeView, PlaceView } from '~/api/types'
import type { GpuCell } from './GpuStrip'

type ColourOf = (cell: { job?: number | null; team?: string | null }) => number

/** A node of the fleet as cells. */
export function cellsOfNode(
  node: NodeView,
  colourOf: ColourOf,
  say: (cell: NodeView['gpus'][number]) => string,
): GpuCell[] {
  return node.gpus.map((gpu): GpuCell => {
    const title = say(gpu)
    switch (gpu.status) {
      case 'busy':
        return { kind: 'busy', colour: colourOf(gpu), title }
      case 'reserved':
        return { kind: 'reserved', title }
      case 'free':
        return { kind: 'free', title }
      case 'broken':
        return { kind: 'broken', title }
      case 'foreign':
      case 'unavailable':
        return { kind: 'closed', title }
    }
  })
}

/** A node of the best place for a job that waits: what holders have, what is kept for the job, what is free. */
export function cellsOfGap(gap: NodeGapView, colourOf: ColourOf): GpuCell[] {
  const held = gap.holders.flatMap((h) =>
    Array.from({ length: h.gpus }, (): GpuCell =>
      h.job == null ? { kind: 'closed' } : { kind: 'busy', colour: colourOf(h) },
    ),
  )
  const kept = Array.from({ length: gap.reserved }, (): GpuCell => ({ kind: 'reserved' }))
  const free = Array.from({ length: gap.free }, (): GpuCell => ({ kind: 'free' }))
  const rest = Array.from(
    { length: Math.max(0, gap.total - held.length - kept.length - free.length) },
    (): GpuCell => ({ kind: 'closed' }),
  )
  return [...held, ...kept, ...free, ...rest].slice(0, gap.total)
}

/** A node on which a job that is being written would start: what others hold, then what it would take. */
export function cellsOfPlace(place: PlaceView, colour: number): GpuCell[] {
  const others = Array.from({ length: place.busy }, (): GpuCell => ({ kind: 'closed' }))
  const own = Array.from({ length: place.gpus }, (): GpuCell => ({ kind: 'busy', colour }))
  const free = Array.from({ length: Math.max(0, place.total - place.busy - place.gpus) }, (): GpuCell => ({
    kind: 'free',
  }))
  return [...others, ...own, ...free].slice(0, place.total)
}
