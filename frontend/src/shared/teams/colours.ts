import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { teamsQuery } from '~/api/queries'
import { TEAM_COLOURS } from '~/shared/gpu'

/**
 * A colour for each team: teams that hold jobs (the leaves of the tree) first, by path, so that neighbours on the map
 * differ for as long as there are colours.
 */
export function assignColours(paths: readonly string[]): Map<string, number> {
  const sorted = [...paths].sort()
  const inner = new Set(sorted.filter((path) => sorted.some((other) => other.startsWith(`${path}/`))))
  const order = [...sorted.filter((p) => !inner.has(p)), ...sorted.filter((p) => inner.has(p))]
  return new Map(order.map((path, i) => [path, i % TEAM_COLOURS]))
}

/** A steady colour for something without a list to stand in. */
export function colourOfId(id: number): number {
  return (id * 7) % TEAM_COLOURS
}

export function useTeamColours(): (path: string | null | undefined) => number {
  const teams = useQuery(teamsQuery()).data
  const colours = useMemo(
    () => assignColours((teams ?? []).filter((t) => !t.archived).map((t) => t.path)),
    [teams],
  )
  return (path) =>
    colours.get(path ?? '') ?? colourOfId([...(path ?? '')].reduce((sum, c) => sum + c.charCodeAt(0), 0))
}
