import type { AttemptView } from '~/api/types'

export type Phase = 'starting' | 'running' | 'saving'

export interface Segment {
  phase: Phase
  from: number
  to: number
}

export interface Lane {
  attempt: AttemptView
  segments: Segment[]
}

/** Attempts on one axis of time, oldest first; times in milliseconds. There is at least one. */
export function lanes(
  attempts: readonly AttemptView[],
  now: number,
): { lanes: Lane[]; start: number; end: number } {
  const sorted = [...attempts].sort((a, b) => a.number - b.number)
  const rows = sorted.map((attempt) => ({ attempt, segments: segments(attempt, now) }))
  // An attempt that was placed a moment ago may have no length yet.
  const times = sorted.flatMap((a) => [ms(a.placedAt), a.endedAt ? ms(a.endedAt) : now])
  const start = Math.min(...times)
  return { lanes: rows, start, end: Math.max(start + 1000, ...times) }
}

function segments(a: AttemptView, now: number): Segment[] {
  const end = a.endedAt ? ms(a.endedAt) : now
  const placed = ms(a.placedAt)
  const running = a.runningAt ? ms(a.runningAt) : end
  const signal = a.signalAt && a.beneficiary != null ? Math.max(ms(a.signalAt), running) : end
  const all: Segment[] = [
    { phase: 'starting', from: placed, to: Math.min(running, end) },
    { phase: 'running', from: Math.min(running, end), to: Math.min(signal, end) },
    { phase: 'saving', from: Math.min(signal, end), to: end },
  ]
  return all.filter((s) => s.to > s.from)
}

function ms(at: string): number {
  return new Date(at).getTime()
}
