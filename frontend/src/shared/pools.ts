import type { PoolView } from '~/api/types'

/** Largest first: what most people come for is what they see first. */
export function bySize(pools: readonly PoolView[]): PoolView[] {
  return [...pools].sort((a, b) => b.total - a.total || a.id.localeCompare(b.id))
}
