import type { ShareView } from '~/api/types'

export interface Series {
  team: string
  points: [at: string, gpus: number][]
}

/** What each team held, in order of time. Teams that have others inside are left out: they would count twice. */
export function series(rows: readonly ShareView[]): Series[] {
  const parents = new Set(rows.map((row) => row.parent).filter((p) => p != null))
  const byTeam = new Map<string, Series>()
  for (const row of [...rows].sort((a, b) => a.asOf.localeCompare(b.asOf))) {
    if (parents.has(row.team)) continue
    const found = byTeam.get(row.team) ?? { team: row.team, points: [] }
    found.points.push([row.asOf, row.allocated])
    byTeam.set(row.team, found)
  }
  return [...byTeam.values()].sort((a, b) => a.team.localeCompare(b.team))
}
