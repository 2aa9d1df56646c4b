import { describe, expect, it } from 'vitest'
import type { AttemptView } from '~/api/types'
import { lanes } from './gantt'

const attempt = (of: Partial<AttemptView>): AttemptView => ({
  number: 1,
  revision: 1,
  pool: 'p',
  gpuType: 'g',
  backfilled: false,
  placedAt: '2026-01-01T00:00:00Z',
  lostGpuSeconds: 0,
  replicas: [],
  ...of,
})

const T0 = Date.parse('2026-01-01T00:00:00Z')

describe('attempts on one axis', () => {
  it('split an attempt into starting, running and saving', () => {
    const {
      lanes: rows,
      start,
      end,
    } = lanes(
      [
        attempt({
          runningAt: '2026-01-01T00:01:00Z',
          signalAt: '2026-01-01T00:05:00Z',
          beneficiary: 9,
          endedAt: '2026-01-01T00:06:00Z',
        }),
      ],
      T0,
    )
    expect(rows[0]?.segments.map((s) => [s.phase, (s.from - T0) / 60_000, (s.to - T0) / 60_000])).toEqual([
      ['starting', 0, 1],
      ['running', 1, 5],
      ['saving', 5, 6],
    ])
    expect([start, end]).toEqual([T0, T0 + 360_000])
  })

  it('are in order of their numbers and reach to now', () => {
    const got = lanes(
      [
        attempt({ number: 2, placedAt: '2026-01-01T01:00:00Z' }),
        attempt({ endedAt: '2026-01-01T00:30:00Z' }),
      ],
      T0 + 7_200_000,
    )
    expect(got.lanes.map((l) => l.attempt.number)).toEqual([1, 2])
    expect(got.end).toBe(T0 + 7_200_000)
    expect(got.lanes[1]?.segments.map((s) => s.phase)).toEqual(['starting'])
  })

  it('have an axis although the only one was placed after what our clock says', () => {
    const got = lanes([attempt({})], T0 - 5)
    expect(got.lanes[0]?.segments).toEqual([])
    expect([got.start, got.end]).toEqual([T0 - 5, T0 + 995])
  })

  it('never run backwards when clocks disagree', () => {
    const got = lanes([attempt({ runningAt: '2026-01-01T00:10:00Z', endedAt: '2026-01-01T00:05:00Z' })], T0)
    for (const s of got.lanes[0]?.segments ?? []) expect(s.to).toBeGreaterThan(s.from)
  })
})
