import type { JobSummary, ShareView } from '~/api/types'

/** A team that waits, and where its next job would bring it. */
export interface Standing {
  team: string
  allocated: number
  deserved: number
  next: number
  /** (allocated + next) / deserved; infinite when nothing is deserved. The lowest is served first. */
  ratio: number
}

/** Teams with waiting jobs in the order in which they are served: the sum that explains the order. */
export function standings(rows: readonly ShareView[], waiting: readonly JobSummary[]): Standing[] {
  const nextOf = new Map<string, number>()
  for (const job of [...waiting].sort((a, b) => (a.place ?? Infinity) - (b.place ?? Infinity))) {
    if (job.state === 'QUEUED' && !nextOf.has(job.team)) nextOf.set(job.team, job.gpus)
  }
  return [...nextOf]
    .map(([team, next]): Standing | null => {
      const row = rows.find((r) => r.team === team)
      if (!row) return null
      const ratio = row.deserved === 0 ? Infinity : (row.allocated + next) / row.deserved
      return { team, allocated: row.allocated, deserved: row.deserved, next, ratio }
    })
    .filter((each): each is Standing => each !== null)
    .sort((a, b) => a.ratio - b.ratio || a.team.localeCompare(b.team))
}

/** Teams as a tree, each with its depth: parents before their children, by path. */
export function asTree(rows: readonly ShareView[]): { row: ShareView; depth: number }[] {
  return [...rows]
    .sort((a, b) => a.team.localeCompare(b.team))
    .map((row) => ({ row, depth: row.team.split('/').length - 1 }))
}
