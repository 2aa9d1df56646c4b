import { describe, expect, it } from 'vitest'
import type { JobEventView } from '~/api/types'
import { translator } from '~/i18n/provider'
import { sayEvent } from './sayEvent'

const event = (of: Partial<JobEventView>): JobEventView => ({
  id: 1,
  at: '2026-01-01T00:00:00Z',
  job: 7,
  team: 'a',
  attempt: 1,
  kind: 'state',
  why: '',
  sentence: 'the server’s words',
  data: {},
  ...of,
})

const said = (of: Partial<JobEventView>) => sayEvent(event(of), translator('en'))

describe('events', () => {
  it.each<[Partial<JobEventView>, string]>([
    [{ why: 'submitted', actor: 'mei' }, 'Submitted by mei.'],
    [
      { why: 'planned', data: { nodes: ['b1-r1-n1', 'b1-r1-n2'], domain: ['b1', 'r1'], pool: 'p' } },
      'Placed on 2 nodes in b1 / r1.',
    ],
    [{ kind: 'checkpoint-saved', why: 'checkpoint-saved', data: { step: 9200 } }, 'It saved step 9,200.'],
    [
      { why: 'reclaim', data: { gpusFreed: 8, gpuSecondsLost: 3600 } },
      'Asked to yield 8 GPUs to a team below its share; 1 GPU-hours are done again.',
    ],
    [
      { why: 'cancelled-by-user', actor: 'ada', data: { reason: 'wrong data' } },
      'Cancelled by ada. Reason: wrong data.',
    ],
    [
      { why: 'out-of-memory', data: { failure: 'OUT_OF_MEMORY', replica: 'j1-a1-worker-3' } },
      'It failed: out of memory, first in j1-a1-worker-3.',
    ],
    [{ why: 'a-new-word' }, 'the server’s words'],
  ])('%o', (of, sentence) => {
    expect(said(of)).toBe(sentence)
  })
})
