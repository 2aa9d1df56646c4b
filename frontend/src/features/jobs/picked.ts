import type { JobSummary } from '~/api/types'
import type { RowSelectionState } from '~/shared/table'

/** Ids of the jobs that are selected, over all tables of the screen. */
export type Picked = ReadonlySet<number>

export const NONE: Picked = new Set()

/** What is selected after one table said which of its rows are. */
export function pick(old: Picked, rows: readonly JobSummary[], chosen: RowSelectionState): Picked {
  const next = new Set(old)
  for (const { id } of rows) {
    if (chosen[id]) next.add(id)
    else next.delete(id)
  }
  return next
}
