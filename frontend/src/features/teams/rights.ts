import type { TeamView } from '~/api/types'

/** What the reader may do with a team; the server has the last word, this only decides what is offered. */
export function rights(team: TeamView, all: readonly TeamView[], platformAdmin: boolean) {
  const parent = all.find((each) => each.id === team.parentId)
  return {
    seeMembers: platformAdmin || team.role != null,
    members: platformAdmin || team.role === 'TEAM_ADMIN',
    // A team's quota is set by whoever answers for the team above it.
    quotas: platformAdmin || parent?.role === 'TEAM_ADMIN',
  }
}
