import type { Catalogue } from '../message'

export const events = {
  'event.reason': 'Reason: {reason}.',
  'event.submitted': 'Submitted by {who}.',
  'event.planned': { one: 'Placed on one node, {place}.', other: 'Placed on {n} nodes in {place}.' },
  'event.allRun': 'All replicas run.',
  'event.allSucceeded': 'All replicas have succeeded.',
  'event.podsGone': 'Its pods are gone.',
  'event.saved': 'It saved step {step}.',
  'event.finished': 'The program said that it is done.',
  'event.signalRefused': 'It could not be asked to save: {message}',
  'event.deadline': 'It did not save in time and is stopped.',
  'event.drained': 'Node {node} is being drained.',
  'event.setAside': 'It is set aside: a person has to look at it.',
  'event.hangSuspected': 'It has said nothing for {minutes} min: it may hang.',
  'event.hangOver': 'It is heard again.',
  'event.reclaimed': 'Asked to yield {gpus} to a team below its share; {hours} GPU-hours are done again.',
  'event.preempted': 'Asked to yield {gpus} to a job of higher priority; {hours} GPU-hours are done again.',
  'event.turn':
    'Asked to yield {gpus} to a job that comes first in the order of the team; {hours} GPU-hours are done again.',
  'event.acrossTeams':
    'Asked to yield {gpus} to a job that may preempt in other teams; {hours} GPU-hours are done again.',
  'event.moves':
    'Moves to make room for job {job}: a place is reserved for it on {nodes}, where it goes on from its checkpoint.',
  'event.resize': 'Asked to save and to go on with more replicas; {hours} GPU-hours are done again.',
  'event.backfill':
    'Asked to give back {gpus} that were kept for another job; {hours} GPU-hours are done again.',
  'event.shape':
    'Asked to yield {gpus} in a domain that the guarantee of another team covers whole; {hours} GPU-hours are done again.',
  'event.walltime': 'Its walltime is used up; it is asked to save and stop.',
  'event.reserved': {
    one: '{gpus} on one node are kept for it.',
    other: '{gpus} on {n} nodes are kept for it.',
  },
  'event.reservationChanged': {
    one: 'Now {gpus} on one node are kept for it.',
    other: 'Now {gpus} on {n} nodes are kept for it.',
  },
  'event.reservationEnded': 'Nothing is kept for it any more.',
  'event.cancelled': 'Cancelled by {who}.',
  'event.held': 'Held by {who}.',
  'event.heldFor': 'Held already; {who} gave another reason.',
  'event.released': 'Released by {who}.',
  'event.checkpoint': '{who} asked it to save.',
  'event.changed': 'Its document was changed by {who}.',
  'event.failed': 'It failed: {what}.',
  'event.failedReplica': 'It failed: {what}, first in {replica}.',
} satisfies Catalogue
