import type { JobSummary, Notice } from '~/api/types'
import { job, said, sayReason, type Said } from '~/shared/reasons'

/** What asks for somebody, in sentences. A kind that is not known yet falls back to the server's sentence. */
export function sayNotice(n: Notice, mine: readonly JobSummary[] = []): Said[] {
  const subject = job(n.job ?? 0, mine.find((each) => each.id === n.job)?.name)
  switch (n.kind) {
    case 'yielding':
      return [
        n.beneficiary == null
          ? said('notice.stops', { job: subject })
          : n.beneficiary === n.job
            ? said('notice.grows', { job: subject })
            : said('notice.yields', { job: subject, to: job(n.beneficiary) }),
        ...(n.at == null ? [] : [said('notice.left', { time: { ref: 'until', at: n.at } })]),
      ]
    case 'never-fits':
      return [said('notice.never', { job: subject }), ...(n.reason ? sayReason(n.reason) : [])]
    case 'failed':
      return [said('notice.failed', { job: subject })]
    case 'held':
      return [said('notice.held', { job: subject })]
    case 'walltime-soon':
      return [said('notice.ends', { job: subject, time: n.at ? { ref: 'until', at: n.at } : '?' })]
    case 'hung':
      return [said('notice.hung', { job: subject, time: n.at ? { ref: 'since', at: n.at } : '?' })]
    case 'node-problem':
      return [ofNode(n)]
    default:
      return [said('why.unknown', { kind: n.sentence || n.kind })]
  }
}

function ofNode(n: Notice): Said {
  const node = n.node ?? '?'
  if (n.problem === 'unreachable') return said('notice.node.unreachable', { node })
  if (n.problem === 'gpus-lost') return said('notice.node.gpus', { node, n: n.gpus ?? 0, of: n.gpusOf ?? 0 })
  return n.detail
    ? said('notice.node.because', { node, why: n.detail })
    : said('notice.node.notReady', { node })
}
