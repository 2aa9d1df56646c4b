import type { JobEventView } from '~/api/types'
import type { Key, Translate } from '~/i18n'
import { sayDomain } from '~/shared/names'
import { sayFailure } from '~/shared/reasons'

type Data = JobEventView['data']

/** What happened, in a sentence; a word that is not known yet falls back to the server's sentence. */
export function sayEvent(event: JobEventView, t: Translate): string {
  const say = SAY[event.kind] ?? SAY[event.why]
  const said = say ? say(event.data, t, event) : failed(event, t)
  const reason = text(event.data.reason)
  const more = reason ? ` ${t('event.reason', { reason })}` : ''
  return (said ?? event.sentence) + (said === null ? '' : more)
}

const plainly = (key: Key) => (_: Data, t: Translate) => t(key)
const byWhom = (key: Key) => (_: Data, t: Translate, e: JobEventView) =>
  t(key, { who: e.actor ?? t('events.system') })

const SAY: Record<string, (data: Data, t: Translate, event: JobEventView) => string> = {
  submitted: byWhom('event.submitted'),
  planned: (data, t) => {
    const nodes = list(data.nodes)
    const names = list(data.domain)
    // The last name of a domain is a node's; of a gang on several nodes the place is what they share.
    const place = sayDomain((names.length > 0 ? names : nodes.slice(0, 1)).join('/'))
    return t('event.planned', { n: nodes.length, place: place || text(data.pool) })
  },
  'all-replicas-run': plainly('event.allRun'),
  'all-replicas-succeeded': plainly('event.allSucceeded'),
  'pods-gone': plainly('event.podsGone'),
  'checkpoint-saved': (data, t) => t('event.saved', { step: number(data.step) }),
  'program-finished': plainly('event.finished'),
  'signal-refused': (data, t) => t('event.signalRefused', { message: text(data.message) }),
  'checkpoint-deadline-passed': plainly('event.deadline'),
  drained: (data, t) => t('event.drained', { node: text(data.node) }),
  'set-aside': plainly('event.setAside'),
  'hang-suspected': (data, t) =>
    t('event.hangSuspected', { minutes: String(Math.round(number(data.silentSeconds) / 60)) }),
  'hang-over': plainly('event.hangOver'),
  reclaimed: yields('event.reclaimed'),
  reclaim: yields('event.reclaimed'),
  preempted: yields('event.preempted'),
  preemption: yields('event.preempted'),
  turn: yields('event.turn'),
  'across-teams': yields('event.acrossTeams'),
  backfill: yields('event.backfill'),
  shape: yields('event.shape'),
  move: (data, t) => t('event.moves', { job: number(data.beneficiary), nodes: list(data.nodes).join(', ') }),
  resize: yields('event.resize'),
  walltime: plainly('event.walltime'),
  'reservation-made': kept('event.reserved'),
  'reservation-changed': kept('event.reservationChanged'),
  'reservation-ended': plainly('event.reservationEnded'),
  'cancelled-by-user': byWhom('event.cancelled'),
  'held-by-user': byWhom('event.held'),
  'hold-reason-changed': byWhom('event.heldFor'),
  'released-by-user': byWhom('event.released'),
  'checkpoint-by-user': byWhom('event.checkpoint'),
  'document-changed': byWhom('event.changed'),
}

function yields(key: Key) {
  return (data: Data, t: Translate) =>
    t(key, {
      gpus: t('gpus', { n: number(data.gpusFreed) }),
      hours: Math.round(number(data.gpuSecondsLost) / 36) / 100,
    })
}

function kept(key: Key) {
  return (data: Data, t: Translate) =>
    t(key, { gpus: t('gpus', { n: number(data.gpus) }), n: list(data.nodes).length })
}

function failed(event: JobEventView, t: Translate): string | null {
  const failure = text(event.data.failure)
  if (failure === '') return null
  const replica = text(event.data.replica)
  const what = sayFailure(failure, t)
  return replica ? t('event.failedReplica', { what, replica }) : t('event.failed', { what })
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function number(value: unknown): number {
  return typeof value === 'number' ? value : 0
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}
