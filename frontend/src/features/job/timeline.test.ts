import { describe, expect, it } from 'vitest'
import type { JobEventView, JobSummary } from '~/api/types'
import { timeline } from './timeline'

const job = (of: Partial<JobSummary>): JobSummary => ({
  id: 1,
  team: 'a',
  state: 'QUEUED',
  priority: 'normal',
  preemptible: true,
  gpus: 8,
  replicas: 1,
  shape: [],
  attempt: 0,
  submittedAt: 't0',
  waitingSince: 't0',
  mayAct: true,
  ...of,
})

const change = (from: string | null, to: string, at: string): JobEventView => ({
  id: 0,
  at,
  job: 1,
  team: 'a',
  attempt: 1,
  kind: 'state',
  from,
  to,
  why: '',
  sentence: '',
  data: {},
})

const said = (j: JobSummary, events: JobEventView[] | null) =>
  timeline(j, events).steps.map((s) => `${s.state}${s.when === 'now' ? '*' : s.when === 'later' ? '?' : ''}`)

describe('timeline', () => {
  it('shows what is to come for a job that waits', () => {
    expect(said(job({}), [change(null, 'QUEUED', 't0')])).toEqual([
      'SUBMITTED',
      'QUEUED*',
      'STARTING?',
      'RUNNING?',
      'SUCCEEDED?',
    ])
  })

  it('ends where the job ended', () => {
    const events = [
      change(null, 'QUEUED', 't0'),
      change('QUEUED', 'STARTING', 't1'),
      change('STARTING', 'RUNNING', 't2'),
      change('RUNNING', 'SUCCEEDED', 't3'),
    ]
    expect(said(job({ state: 'SUCCEEDED' }), events)).toEqual([
      'SUBMITTED',
      'STARTING',
      'RUNNING',
      'SUCCEEDED*',
    ])
  })

  it('leaves the beginning of a long life out, and says how much', () => {
    const events = Array.from({ length: 20 }, (_, i) => change('x', i % 2 ? 'RUNNING' : 'QUEUED', `t${i}`))
    const { steps, earlier } = timeline(job({ state: 'RUNNING' }), events)
    expect(earlier).toBe(16)
    expect(steps.filter((s) => s.when !== 'later')).toHaveLength(5)
  })

  it('makes do without events, for readers outside the team', () => {
    expect(said(job({ state: 'RUNNING', startedAt: 't1' }), null)).toEqual([
      'SUBMITTED',
      'RUNNING*',
      'SUCCEEDED?',
    ])
  })

  it('says what comes after stopping', () => {
    expect(said(job({ state: 'STOPPING', after: 'HELD' }), null)).toEqual(['SUBMITTED', 'STOPPING*', 'HELD?'])
  })
})
