import { expect, test } from 'vitest'
import { byDay } from './calibration'

const row = (day: string, team: string, starts: number, p50: number | null, p90: number | null) => ({
  day,
  pool: 'h100',
  team,
  figures: { starts, insideP50: p50, insideP90: p90, medianErrorSeconds: 1, meanWaitSeconds: 1 },
})

test('teams of a day count by their starts, and days stand in order', () => {
  const days = byDay([
    row('2026-03-02', 'a', 10, 0.5, 0.9),
    row('2026-03-01', 'a', 30, 0.5, 1),
    row('2026-03-01', 'b', 10, 0.1, 0.6),
  ])
  expect(days).toEqual([
    { day: '2026-03-01', starts: 40, p50: 0.4, p90: 0.9 },
    { day: '2026-03-02', starts: 10, p50: 0.5, p90: 0.9 },
  ])
})

test('a day without starts says nothing', () => {
  expect(byDay([row('2026-03-01', 'a', 0, null, null)])).toEqual([])
})
