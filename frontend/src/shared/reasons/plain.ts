import type { Translate } from '~/i18n'
import { sayDuration, sayInstant } from '~/shared/time'
import { sayPath } from '~/shared/names'
import type { Piece, Ref, Said } from './said'

export interface Speaker {
  t: Translate
  locale: string
  now: number
}

/** Sentences as one plain text, for titles, search and tests. */
export function plain(sentences: readonly Said[], speaker: Speaker): string {
  return sentences.map((s) => sentence(s, speaker)).join(' ')
}

function sentence(s: Said, speaker: Speaker): string {
  const v = Object.fromEntries(Object.entries(s.v).map(([k, piece]) => [k, text(piece, speaker)]))
  return speaker.t(s.key, v)
}

function text(piece: Piece, speaker: Speaker): string | number {
  return typeof piece === 'object' ? ofRef(piece, speaker) : piece
}

function ofRef(ref: Ref, speaker: Speaker): string {
  const { t, locale, now } = speaker
  switch (ref.ref) {
    case 'job':
      return sayJob(ref, t)
    case 'team':
      return sayPath(ref.path)
    case 'level':
      return sayLevel(ref.level, t)
    case 'since':
      return sayDuration((now - new Date(ref.at).getTime()) / 1000, t)
    case 'until':
      return sayDuration((new Date(ref.at).getTime() - now) / 1000, t)
    case 'at':
      return sayInstant(ref.at, locale, new Date(now))
    case 'failure':
      return sayFailure(ref.failure, t)
    case 'said':
      return sentence(ref.said, speaker)
    case 'list':
      return joined(
        ref.items.map((item) => ofRef(item, speaker)),
        ref.more,
        t,
      )
  }
}

export function sayJob(
  ref: { id: number; name?: string | null; team?: string | null },
  t: Translate,
): string {
  const name = ref.name ?? t('why.job', { id: String(ref.id) })
  return ref.team ? `${sayPath(ref.team)} / ${name}` : name
}

const LEVELS = ['node', 'nvlink', 'rack', 'block', 'zone', 'pool'] as const
export function sayLevel(level: string, t: Translate): string {
  const known = LEVELS.find((each) => each === level)
  return known ? t(`level.${known}`) : level
}

export function sayLevels(level: string, n: number, t: Translate): string {
  const known = LEVELS.find((each) => each === level)
  return t(known && known !== 'pool' ? `levels.${known}` : 'levels.other', { n })
}

const FAILURES = [
  'SUCCESS',
  'USER_ERROR',
  'OUT_OF_MEMORY',
  'GPU_FAULT',
  'NODE_LOST',
  'IMAGE',
  'ADMISSION',
  'DEADLINE',
  'PREEMPTED',
  'START_TIMEOUT',
  'HANG',
  'CANCELLED',
] as const

export function sayFailure(failure: string, t: Translate): string {
  return t(`failure.${FAILURES.find((each) => each === failure) ?? 'UNKNOWN'}`)
}

function joined(items: readonly string[], more: number, t: Translate): string {
  if (more > 0) return t('why.andMore', { jobs: items.join(t('comma')), n: more })
  const last = items.at(-1) ?? ''
  return items.length < 2 ? last : t('why.and', { a: items.slice(0, -1).join(t('comma')), b: last })
}
