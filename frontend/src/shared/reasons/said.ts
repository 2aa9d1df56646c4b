import type { Key } from '~/i18n'

/** Something a sentence speaks of. What it looks like (a link, a time that ticks) is decided where it is shown. */
export type Ref =
  | { ref: 'job'; id: number; name?: string | null; team?: string | null }
  | { ref: 'team'; path: string }
  | { ref: 'level'; level: string }
  | { ref: 'until'; at: string }
  | { ref: 'since'; at: string }
  | { ref: 'at'; at: string }
  | { ref: 'failure'; failure: string }
  | { ref: 'said'; said: Said }
  | { ref: 'list'; items: readonly Ref[]; more: number }

export type Piece = string | number | Ref

/** A sentence as data: a key of the catalogue and what fills it. */
export interface Said {
  key: Key
  v: Readonly<Record<string, Piece>>
}

export function said(key: Key, v: Readonly<Record<string, Piece>> = {}): Said {
  return { key, v }
}

export function gpus(n: number): Ref {
  return { ref: 'said', said: said('gpus', { n }) }
}

export function job(id: number, name?: string | null, team?: string | null): Ref {
  return { ref: 'job', id, name, team }
}

/** At most three, the rest counted. */
export function list(items: readonly Ref[], shown = 3): Ref {
  return { ref: 'list', items: items.slice(0, shown), more: Math.max(0, items.length - shown) }
}
