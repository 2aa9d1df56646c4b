import { expect, it } from 'vitest'
import type { TeamView } from '~/api/types'
import { rights } from './rights'

const team = (id: string, parentId: string | null, role: string | null): TeamView => ({
  id,
  parentId,
  role,
  name: id,
  path: id,
  displayName: id,
  archived: false,
  members: 0,
  quotas: [],
  ordinal: 0,
  version: 0,
})

it('lets the admin of the team above set a quota, not the admin of the team itself', () => {
  const above = team('research', null, 'TEAM_ADMIN')
  const own = team('vision', 'research', 'TEAM_ADMIN')
  expect(rights(own, [above, own], false).quotas).toBe(true)
  expect(rights(above, [above, own], false)).toEqual({ seeMembers: true, members: true, quotas: false })
})

it('lets strangers see neither members nor buttons', () => {
  const other = team('speech', null, null)
  expect(rights(other, [other], false)).toEqual({ seeMembers: false, members: false, quotas: false })
})
