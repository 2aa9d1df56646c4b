import type { Translate } from '~/i18n'

const SECOND = 1
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A duration as people say it, in at most two units: "45 s", "14 min", "1 h 20 min", "3 d 4 h". Seconds in. */
export function sayDuration(seconds: number, t: Translate): string {
  const s = Math.max(0, Math.round(seconds))
  if (s < MINUTE) return t('unit.s', { n: s })
  if (s < 5 * MINUTE)
    return two(t('unit.min', { n: Math.floor(s / MINUTE) }), s % MINUTE, (n) => t('unit.s', { n }))
  if (s < HOUR) return t('unit.min', { n: Math.round(s / MINUTE) })
  if (s < DAY) return hours(s, t)
  return two(t('unit.d', { n: Math.floor(s / DAY) }), Math.floor((s % DAY) / HOUR), (n) => t('unit.h', { n }))
}

function hours(s: number, t: Translate): string {
  return two(t('unit.h', { n: Math.floor(s / HOUR) }), Math.floor((s % HOUR) / MINUTE), (n) =>
    t('unit.min', { n }),
  )
}

function two(first: string, rest: number, say: (n: number) => string): string {
  return rest === 0 ? first : `${first} ${say(rest)}`
}

const UNITS: Record<string, number> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY }

/** Seconds of a duration of the job document (`90s`, `15m`, `12h`, `2d`, `1h30m`), or null when it is none. */
export function parseDuration(text: string): number | null {
  const trimmed = text.trim()
  if (!/^(\d+[smhd])+$/.test(trimmed)) return null
  let total = 0
  for (const [, n, unit] of trimmed.matchAll(/(\d+)([smhd])/g)) total += Number(n) * (UNITS[unit ?? 's'] ?? 1)
  return total
}

/** Seconds of an ISO 8601 duration (`PT1H30M`, `PT0.5S`, `P2D`) or of a document duration; null when it is neither. */
export function secondsOf(text: string): number | null {
  const iso = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(text)
  if (!iso || text === 'P' || text.endsWith('T')) return parseDuration(text)
  const [, d, h, m, s] = iso.map((part) => Number(part ?? 0))
  return (d ?? 0) * DAY + (h ?? 0) * HOUR + (m ?? 0) * MINUTE + (s ?? 0)
}

/** The document's way to write a number of seconds, in the largest unit that is exact. */
export function writeDuration(seconds: number): string {
  if (seconds > 0 && seconds % DAY === 0) return `${seconds / DAY}d`
  if (seconds > 0 && seconds % HOUR === 0) return `${seconds / HOUR}h`
  if (seconds > 0 && seconds % MINUTE === 0) return `${seconds / MINUTE}m`
  return `${seconds}s`
}
