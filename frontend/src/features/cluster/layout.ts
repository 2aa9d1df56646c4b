import type { NodeView, PoolView } from '~/api/types'

export interface Rack {
  name: string
  nodes: NodeView[]
  total: number
  free: number
}

export interface Block {
  /** Null: the pool has no level above the rack. */
  name: string | null
  racks: Rack[]
  total: number
}

/** The nodes of a pool as blocks of racks, by the levels that the pool has. */
export function blocksOf(pool: Pick<PoolView, 'levels'>, nodes: readonly NodeView[]): Block[] {
  const rackLevel = rackDepth(pool)
  const racks = new Map<string, Rack & { block: string | null }>()
  for (const node of [...nodes].sort(byDomain)) {
    const path = node.domain.slice(0, rackLevel)
    const key = path.join('/')
    let rack = racks.get(key)
    if (!rack) {
      rack = {
        name: path.at(-1) ?? '',
        block: path.length > 1 ? path.slice(0, -1).join(' / ') : null,
        nodes: [],
        total: 0,
        free: 0,
      }
      racks.set(key, rack)
    }
    rack.nodes.push(node)
    rack.total += node.total
    rack.free += node.free
  }
  const blocks = new Map<string | null, Block>()
  for (const { block, ...rack } of racks.values()) {
    const found = blocks.get(block) ?? { name: block, racks: [], total: 0 }
    found.racks.push(rack)
    found.total += rack.total
    blocks.set(block, found)
  }
  return [...blocks.values()]
}

/** How many names of a node's domain lead to its rack; the level named rack, else the one above the innermost group. */
function rackDepth(pool: Pick<PoolView, 'levels'>): number {
  const named = pool.levels.findIndex((level) => level.name === 'rack')
  return named >= 0 ? named + 1 : Math.max(0, pool.levels.length - 1)
}

function byDomain(a: NodeView, b: NodeView): number {
  return a.domain.join('/').localeCompare(b.domain.join('/'), 'en', { numeric: true })
}

/** Free GPUs, and how many of them lie on nodes of which a part is in use. */
export function fragmentation(nodes: readonly NodeView[]): { free: number; scattered: number } {
  let free = 0
  let scattered = 0
  for (const node of nodes) {
    if (!node.takesReplicas) continue
    free += node.free
    if (node.free < node.total) scattered += node.free
  }
  return { free, scattered }
}

export interface Holding {
  team: string
  gpus: number
}

/** Who holds how much, most first. */
export function holdings(nodes: readonly NodeView[]): {
  teams: Holding[]
  reserved: number
  free: number
  closed: number
  broken: number
} {
  const teams = new Map<string, number>()
  const count = { reserved: 0, free: 0, closed: 0, broken: 0 }
  for (const gpu of nodes.flatMap((node) => node.gpus)) {
    if (gpu.status === 'busy') teams.set(gpu.team ?? '?', (teams.get(gpu.team ?? '?') ?? 0) + 1)
    else if (gpu.status === 'reserved') count.reserved++
    else if (gpu.status === 'free') count.free++
    else if (gpu.status === 'broken') count.broken++
    else count.closed++
  }
  const sorted = [...teams]
    .map(([team, gpus]) => ({ team, gpus }))
    .sort((a, b) => b.gpus - a.gpus || a.team.localeCompare(b.team))
  return { teams: sorted, ...count }
}
