import type { LogLine } from '~/api/types'

/** Lines kept in the browser; older ones are dropped from the start. The server keeps them all. */
export const KEPT = 20_000

export interface Buffer {
  lines: LogLine[]
  /** Highest line number seen of each attempt and replica, so that nothing is shown twice. */
  seen: ReadonlyMap<string, number>
  cut: boolean
}

export const EMPTY: Buffer = { lines: [], seen: new Map(), cut: false }

/** Adds lines that are new; a stream that starts again repeats some. */
export function append(buffer: Buffer, incoming: readonly LogLine[]): Buffer {
  const seen = new Map(buffer.seen)
  const fresh = incoming.filter((l) => {
    const key = `${l.attempt} ${l.replica}`
    if (l.line <= (seen.get(key) ?? -1)) return false
    seen.set(key, l.line)
    return true
  })
  if (fresh.length === 0) return buffer
  const all = buffer.lines.concat(fresh)
  const over = all.length - KEPT
  return { lines: over > 0 ? all.slice(over) : all, seen, cut: buffer.cut || over > 0 }
}

/** Lines that hold the words, without regard to case. */
export function matching(lines: readonly LogLine[], q: string): readonly LogLine[] {
  const wanted = q.trim().toLowerCase()
  return wanted === '' ? lines : lines.filter((l) => l.text.toLowerCase().includes(wanted))
}

// Escape sequences for colours and cursors: noise in a browser.
const CONTROL = /\u001b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000b-\u001f\u007f]/g

export function plainText(text: string): string {
  return text.replace(CONTROL, '')
}
