import { queryString } from '~/api/client'
import { GROUPS, type JobView } from '~/api/queries'

/** The part of an address after `?`: plain words, so that people can read, write and share it. */
type Raw = Record<string, unknown>

export function parse(text: string): Raw {
  return Object.fromEntries(new URLSearchParams(text))
}

export function write(of: Raw): string {
  const flat = Object.entries(of).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(',') : value,
  ])
  return queryString(Object.fromEntries(flat) as Record<string, string>)
}

const word = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** Leaves out what is not set, so that addresses stay short. */
function only<T extends Raw>(of: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(of).filter(([, v]) => v !== undefined)) as never
}

export function signIn(raw: Raw): { back?: string } {
  const back = word(raw.back)
  // Only a path of our own: a link to us must not lead people elsewhere.
  return back && /^\/(?![/\\])/.test(back) ? { back } : {}
}

const words = (value: unknown) => {
  const text = Array.isArray(value) ? value.join(',') : word(value)
  const all = text?.split(',').filter(Boolean)
  return all?.length ? all : undefined
}

export function jobs(raw: Raw): JobView {
  return only({
    team: word(raw.team),
    user: word(raw.user),
    state: words(raw.state),
    priority: word(raw.priority),
    pool: word(raw.pool),
    q: word(raw.q),
    label: word(raw.label),
    order: raw.order === 'oldest' ? ('oldest' as const) : undefined,
    group: GROUPS.find((each) => each === raw.group),
    open: words(raw.open),
  })
}

export type JobTab = 'story' | 'logs' | 'replicas' | 'checkpoints' | 'events' | 'document'
const TABS: JobTab[] = ['story', 'logs', 'replicas', 'checkpoints', 'events', 'document']

export function job(raw: Raw): { tab?: JobTab; replica?: string; q?: string } {
  return only({ tab: TABS.find((each) => each === raw.tab), replica: word(raw.replica), q: word(raw.q) })
}

export function submit(raw: Raw): { clone?: string; template?: string } {
  return only({ clone: word(raw.clone), template: word(raw.template) })
}

export type ColourBy = 'team' | 'job' | 'health'
const COLOURS: ColourBy[] = ['team', 'job', 'health']

export function cluster(raw: Raw): { pool?: string; by?: ColourBy; node?: string } {
  return only({ pool: word(raw.pool), by: COLOURS.find((each) => each === raw.by), node: word(raw.node) })
}

export function shares(raw: Raw): { pool?: string } {
  return only({ pool: word(raw.pool) })
}

export function teams(raw: Raw): { team?: string } {
  return only({ team: word(raw.team) })
}
