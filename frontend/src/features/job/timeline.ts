import type { JobEventView, JobSummary } from '~/api/types'
import type { JobState } from '~/shared/state'

export interface Step {
  state: JobState | 'SUBMITTED'
  at: string | null
  /** `now` is where the job is; `later` has not happened. */
  when: 'past' | 'now' | 'later'
}

const NEXT: Partial<Record<JobState, JobState[]>> = {
  QUEUED: ['STARTING', 'RUNNING', 'SUCCEEDED'],
  HELD: ['QUEUED', 'STARTING', 'RUNNING'],
  STARTING: ['RUNNING', 'SUCCEEDED'],
  RUNNING: ['SUCCEEDED'],
  CHECKPOINTING: ['RUNNING'],
  STOPPING: ['QUEUED'],
}

const SHOWN = 5

/** The states of a job from the first to what is likely to come; of a long life the beginning is left out. */
export function timeline(
  job: JobSummary,
  events: readonly JobEventView[] | null,
): { steps: Step[]; earlier: number } {
  const changes = (events ?? []).filter((e) => e.kind === 'state' && e.to && e.to !== e.from)
  const past: Step[] = [{ state: 'SUBMITTED', at: job.submittedAt, when: 'past' }]
  if (changes.length > 0) {
    // The first change is the submission itself.
    for (const e of changes)
      if (!(e.from == null && e.to === 'QUEUED')) past.push(step(e.to as JobState, e.at))
  } else if (job.startedAt) past.push(step('RUNNING', job.startedAt))
  const last = past.at(-1)
  if (last?.state === job.state) last.when = 'now'
  else past.push({ state: job.state, at: sinceWhen(job), when: 'now' })
  const earlier = Math.max(0, past.length - SHOWN)
  const later = (job.after ? [job.after as JobState] : (NEXT[job.state] ?? [])).map((state): Step => ({
    state,
    at: null,
    when: 'later',
  }))
  return { steps: [...past.slice(earlier), ...later], earlier }
}

function step(state: JobState, at: string): Step {
  return { state, at, when: 'past' }
}

function sinceWhen(job: JobSummary): string | null {
  if (job.state === 'QUEUED') return job.waitingSince ?? job.submittedAt
  return job.endedAt ?? null
}
