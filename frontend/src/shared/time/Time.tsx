import { useI18n } from '~/i18n'
import { sayDuration, secondsOf } from './duration'
import { clusterNow, useNow } from './now'

/** A length of time as people say it; the exact seconds on hover. */
export function Duration({ of }: { of: number | string }) {
  const { t, number } = useI18n()
  const seconds = typeof of === 'number' ? of : (secondsOf(of) ?? 0)
  return (
    <span className="nowrap" title={t('unit.s', { n: number(seconds) })}>
      {sayDuration(seconds, t)}
    </span>
  )
}

/** How long ago something was, or how long until it is. It ticks. */
export function Since({ at, until = false }: { at: string; until?: boolean }) {
  const { t, locale } = useI18n()
  const now = useNow()
  const seconds = (new Date(at).getTime() - now) / 1000
  return (
    <time className="nowrap" dateTime={at} title={exact(at, locale)}>
      {sayDuration(until ? seconds : -seconds, t)}
    </time>
  )
}

/** A moment: the time when it is today, else day and time; the exact instant on hover. */
export function Instant({ at, seconds = false }: { at: string; seconds?: boolean }) {
  const { locale } = useI18n()
  return (
    <time className="nowrap" dateTime={at} title={exact(at, locale)}>
      {sayInstant(at, locale, new Date(clusterNow()), seconds)}
    </time>
  )
}

export function sayInstant(at: string, locale: string, today: Date, seconds = false): string {
  const date = new Date(at)
  const time: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
  if (seconds) time.second = '2-digit'
  const sameDay = date.toDateString() === today.toDateString()
  const day: Intl.DateTimeFormatOptions = sameDay ? {} : { day: 'numeric', month: 'short' }
  if (date.getFullYear() !== today.getFullYear()) day.year = 'numeric'
  return new Intl.DateTimeFormat(locale, { ...day, ...time }).format(date)
}

function exact(at: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' }).format(new Date(at))
}
