import type { CalibrationView } from '~/api/types'

export interface Day {
  day: string
  starts: number
  /** Shares of the starts, from 0 to 1. */
  p50: number
  p90: number
}

/** Pools and teams of a day together, each start counted once; in order of time. */
export function byDay(rows: CalibrationView['days']): Day[] {
  const days = new Map<string, Day>()
  for (const { day, figures } of rows) {
    const sum = days.get(day) ?? { day, starts: 0, p50: 0, p90: 0 }
    sum.starts += figures.starts
    sum.p50 += (figures.insideP50 ?? 0) * figures.starts
    sum.p90 += (figures.insideP90 ?? 0) * figures.starts
    days.set(day, sum)
  }
  return [...days.values()]
    .filter((d) => d.starts > 0)
    .map((d) => ({ ...d, p50: d.p50 / d.starts, p90: d.p90 / d.starts }))
    .sort((a, b) => a.day.localeCompare(b.day))
}
