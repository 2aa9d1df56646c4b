import type { BulkItem } from '~/api/types'
import type { Translate } from '~/i18n'
import { sayNo } from '~/shared/reasons'
import { isActive } from '~/shared/state'

export const BULK = ['hold', 'release', 'priority', 'cancel'] as const
export type BulkAction = (typeof BULK)[number]

/** What the action would do to a job, in words: the server said that it may be done, the job's state says what it means. */
export function sayConsequence(action: BulkAction, item: BulkItem, priority: string, t: Translate): string {
  if (item.outcome === 'not-found') return t('bulk.notFound')
  if (item.outcome !== 'would-do') {
    return sayNo({ code: item.code ?? '', sentence: item.detail ?? '' }, item.state, t)
  }
  const active = item.state != null && isActive(item.state)
  const gpus = t('gpus', { n: item.gpus ?? 0 })
  switch (action) {
    case 'cancel':
      return active ? t('bulk.then.stops', { gpus }) : t('bulk.then.leaves')
    case 'hold':
      return active ? t('bulk.then.saves', { gpus }) : t('bulk.then.held')
    case 'release':
      return t('bulk.then.queued')
    case 'priority':
      return t('bulk.then.priority', { from: item.priority ?? '', to: priority })
  }
}

/** What is refused first, then what would change: that is what one wants to know before one agrees. */
export function byWeight(items: readonly BulkItem[]): BulkItem[] {
  const weight = (item: BulkItem) => ['refused', 'not-found', 'would-do'].indexOf(item.outcome) + 1 || 4
  return [...items].sort((a, b) => weight(a) - weight(b) || a.job - b.job)
}
