import type { Key, Translate } from '~/i18n'

/** Why an action on a job is not possible: a stable word, and the server's sentence for words that are not known here. */
export interface No {
  code: string
  sentence: string
}

const KNOWN = new Set([
  'not-yours',
  'admins-only',
  'ended',
  'not-waiting',
  'no-walltime',
  'saves-at-its-stop',
  'no-checkpoint-path',
  'not-held',
  'being-cancelled',
  'held-already',
  'saving-already',
  'not-now',
  'priority-already',
  'unreadable',
])

export function sayNo(no: No, state: string | null | undefined, t: Translate): string {
  if (!KNOWN.has(no.code)) return no.sentence
  return t(`no.${no.code}` as Key, { state: state ? t(`state.${state}` as Key) : '?' })
}
