import { describe, expect, it } from 'vitest'
import type { JobSummary, ShareView } from '~/api/types'
import { standings } from './order'

const row = (team: string, allocated: number, deserved: number) =>
  ({ team, allocated, deserved }) as ShareView
const job = (team: string, gpus: number, place: number, state = 'QUEUED') =>
  ({ team, gpus, place, state }) as JobSummary

describe('why one team is served before another', () => {
  it('is the lowest (allocated + next gang) / deserved', () => {
    const got = standings(
      [row('robotics', 80, 90), row('production', 24, 40), row('idle', 0, 10)],
      [job('robotics', 24, 2), job('production', 16, 1), job('production', 900, 3)],
    )
    expect(got.map((s) => [s.team, s.ratio.toFixed(2)])).toEqual([
      ['production', '1.00'],
      ['robotics', '1.16'],
    ])
  })

  it('puts a team that deserves nothing last, and leaves held jobs out', () => {
    const got = standings(
      [row('a', 0, 0), row('b', 8, 8)],
      [job('a', 1, 1), job('b', 8, 2), job('c', 1, 0, 'HELD')],
    )
    expect(got.map((s) => [s.team, s.ratio])).toEqual([
      ['b', 2],
      ['a', Infinity],
    ])
  })
})
