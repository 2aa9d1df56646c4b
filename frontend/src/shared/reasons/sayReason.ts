import type { HolderView, NodeGapView, ReasonView } from '~/api/types'
import { sayDomain } from '~/shared/names'
import { gpus, job, list, said, type Ref, type Said } from './said'

/** A reason in sentences, the cause first. A kind that is not known yet falls back to the server's sentence. */
export function sayReason(r: ReasonView): Said[] {
  const say = SAY[r.kind]
  return say ? say(r) : [said('why.unknown', { kind: r.sentence || r.kind })]
}

const SAY: Record<string, (r: ReasonView) => Said[]> = {
  'never-fits': (r) => [neverFits(r)],
  'team-limit': (r) => [
    said('why.teamLimit', {
      team: team(r),
      pool: pool(r),
      limit: n(r.limit),
      inUse: n(r.inUse),
      n: n(r.gpusWanted),
    }),
  ],
  'user-limit': (r) => [
    said('why.userLimit', {
      user: r.user ?? '?',
      team: team(r),
      pool: pool(r),
      limit: n(r.limit),
      inUse: n(r.inUse),
      n: n(r.gpusWanted),
    }),
  ],
  'quota-in-use': (r) => [
    said('why.quota', {
      team: team(r),
      pool: pool(r),
      allocated: n(r.inUse),
      deserved: n(r.deserved),
      n: n(r.gpusWanted),
    }),
  ],
  'guarantee-in-use': (r) => [
    said('why.guarantee', {
      team: team(r),
      pool: pool(r),
      guaranteed: n(r.guaranteed),
      inUse: n(r.inUse),
      n: n(r.gpusWanted),
    }),
  ],
  priority: order,
  capacity,
  fragmentation,
  topology,
  reserved: (r) => {
    const v = { gpus: gpus(n(r.gpusWanted)), pool: pool(r), job: jobs(r) }
    return [r.until ? said('why.reserved.until', { ...v, at: at(r.until) }) : said('why.reserved', v)]
  },
  'waiting-for-victims': (r) => {
    const v = { gpus: gpus(n(r.gpusWanted)), jobs: jobs(r) }
    return [r.until ? said('why.victims.latest', { ...v, at: at(r.until) }) : said('why.victims', v)]
  },
  held: (r) => [r.why ? said('why.held.because', { why: r.why }) : said('why.held')],
  backoff: (r) => [
    said('why.backoff', {
      attempt: n(r.attempt),
      failure: { ref: 'failure', failure: r.failure ?? 'UNKNOWN' },
      time: r.until ? { ref: 'until', at: r.until } : '',
    }),
  ],
  paused: (r) => {
    const why = r.why ?? ''
    if (r.team) return [said('why.paused.team', { team: team(r), why })]
    return [r.pool ? said('why.paused.pool', { pool: r.pool, why }) : said('why.paused', { why })]
  },
  'preemption-frozen': (r) => [said('why.frozen', { why: r.why ?? '' })],
  'image-unseen': (r) => [said('why.imageUnseen', { attempt: n(r.attempt) })],
  'not-yet-planned': () => [said('why.notYet')],
}

function neverFits(r: ReasonView): Said {
  const wanted = gpus(n(r.gpusWanted))
  if (!r.largestGpus) return said('why.never.nowhere', { wanted })
  const v = { wanted, largest: gpus(r.largestGpus), domain: place(r) }
  return r.sliceSize ? said('why.never.slices', { ...v, ...slices(r) }) : said('why.never', v)
}

function order(r: ReasonView): Said[] {
  const out = [said('why.order', { n: n(r.jobsBefore), pool: pool(r), gpus: gpus(n(r.gpusBefore)) })]
  if (r.jobs.length > 0) out.push(said('why.order.first', { n: Math.min(3, r.jobs.length), jobs: jobs(r) }))
  return out
}

function capacity(r: ReasonView): Said[] {
  const free = n(r.gpusFree)
  const all = gpus(n(r.gpusWanted))
  const wanted: Ref | typeof all = r.level
    ? {
        ref: 'said',
        said: said('why.capacity.within', { wanted: all, level: { ref: 'level', level: r.level } }),
      }
    : all
  const v = { wanted, pool: pool(r), free }
  const out = [said(free === 0 ? 'why.capacity.none' : 'why.capacity', v)]
  if (n(r.gpusUnavailable) > 0) out.push(said('why.capacity.closed', { n: n(r.gpusUnavailable) }))
  if (r.holders.length > 0) {
    const holders = [...r.holders]
      .sort((a, b) => b.gpus - a.gpus)
      .map((h): Ref => ({ ref: 'said', said: said('why.holder.gpus', { holder: holder(h), gpus: h.gpus }) }))
    out.push(said('why.holders', { n: r.holders.length, holders: list(holders) }))
  }
  return out
}

function fragmentation(r: ReasonView): Said[] {
  const first = said('why.fragmentation', { need: need(r), fit: n(r.replicasFit), free: gpus(n(r.gpusFree)) })
  return [first, ...missing(r)]
}

function topology(r: ReasonView): Said[] {
  if (r.sliceSize) return sliced(r, r.sliceSize)
  const level: Ref = { ref: 'level', level: r.level ?? 'pool' }
  const best = place(r)
  const fit = n(r.replicasFit)
  const out = [said('why.topology', { need: need(r), level })]
  out.push(
    fit > 0
      ? said('why.topology.best', { level, best, n: fit })
      : said('why.topology.bestNone', { level, best }),
  )
  out.push(...missing(r))
  if (r.until) out.push(said('why.relaxes', { at: at(r.until) }))
  return out
}

/** Slices: only whole ones count. */
function sliced(r: ReasonView, size: number): Said[] {
  const out = [
    said('why.slices', { need: need(r), ...slices(r) }),
    said('why.slices.best', { best: place(r), n: Math.floor(n(r.replicasFit) / size) }),
    ...missing(r),
  ]
  if (r.until) out.push(said('why.relaxes', { at: at(r.until) }))
  return out
}

function slices(r: ReasonView) {
  const level: Ref = { ref: 'level', level: r.sliceLevel ?? 'pool' }
  return { size: n(r.sliceSize), level }
}

/** The nodes of the best place that do not hold a replica yet. */
export function gapsOf(r: ReasonView): NodeGapView[] {
  const each = Math.max(1, n(r.gpusEach))
  return r.nodes.filter((node) => node.free + node.reserved < each)
}

/** Who holds the node that is missing; of several, the one that comes free first. */
function missing(r: ReasonView): Said[] {
  const lacking = n(r.replicasWanted) - n(r.replicasFit)
  const held = gapsOf(r)
    .map((node) => ({ node, by: largest(node.holders) }))
    .filter((each): each is { node: NodeGapView; by: HolderView } => each.by !== undefined)
    .sort((a, b) => endOf(a.by).localeCompare(endOf(b.by)) || a.node.node.localeCompare(b.node.node))
  const next = held[0]
  if (!next) return []
  const key = lacking === 1 ? 'why.missing.one' : 'why.missing.many'
  const tail: Said = next.by.expectedEnd
    ? said('why.missing.until', { time: { ref: 'until', at: next.by.expectedEnd } })
    : said('why.missing.open')
  return [said(key, { node: next.node.node, holder: holder(next.by), tail: { ref: 'said', said: tail } })]
}

function largest(holders: readonly HolderView[]): HolderView | undefined {
  return [...holders].sort((a, b) => b.gpus - a.gpus)[0]
}

function endOf(h: HolderView): string {
  return h.expectedEnd ?? '9999'
}

function holder(h: HolderView): Ref {
  if (h.job == null) return { ref: 'said', said: said('why.missing.foreign') }
  return job(h.job, h.name, h.team)
}

function need(r: ReasonView): Ref {
  const replicas = n(r.replicasWanted)
  const each = n(r.gpusEach)
  if (each === 0) return { ref: 'said', said: said('why.need.cpu', { n: replicas }) }
  const whole = r.nodes.length > 0 && r.nodes.every((node) => node.total === each)
  if (whole) return { ref: 'said', said: said('why.need.nodes', { n: replicas }) }
  return { ref: 'said', said: said('why.need.replicas', { n: replicas, each: gpus(each) }) }
}

function jobs(r: ReasonView): Ref {
  return list(r.jobs.map((id) => job(id)))
}

function team(r: ReasonView): Ref {
  return { ref: 'team', path: r.team ?? '?' }
}

function pool(r: ReasonView): string {
  return r.pool ?? '?'
}

function place(r: ReasonView): string {
  return r.domain ? sayDomain(r.domain) : pool(r)
}

function at(instant: string): Ref {
  return { ref: 'at', at: instant }
}

function n(value: number | null | undefined): number {
  return value ?? 0
}
