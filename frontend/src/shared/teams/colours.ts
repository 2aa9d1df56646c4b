import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { teamsQuery } from '~/api/queries'
import type { TeamView } from '~/api/types'
import { TEAM_COLOURS } from '~/shared/gpu'

/** A colour for each team, in the order in which they were made: a team keeps its own when others come or go. */
export function assignColours(teams: readonly Pick<TeamView, 'path' | 'ordinal'>[]): Map<string, number> {
  return new Map(teams.map((team) => [team.path, team.ordinal % TEAM_COLOURS]))
}

/** A steady colour for something without a list to stand in. */
export function colourOfId(id: number): number {
  return (id * 7) % TEAM_COLOURS
}

export function useTeamColours(): (path: string | null | undefined) => number {
  const teams = useQuery(teamsQuery()).data
  const colours = useMemo(() => assignColours(teams ?? []), [teams])
  return (path) =>
    colours.get(path ?? '') ?? colourOfId([...(path ?? '')].reduce((sum, c) => sum + c.charCodeAt(0), 0))
}
