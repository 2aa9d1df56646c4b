import { describe, expect, it } from 'vitest'
import type { ReasonView } from '~/api/types'
import { translator } from '~/i18n/provider'
import { plain } from './plain'
import { gapsOf, sayReason } from './sayReason'

const NOW = new Date('2026-11-30T14:16:00Z').getTime()

function reason(of: Partial<ReasonView>): ReasonView {
  return { kind: '', sentence: '', jobs: [], holders: [], nodes: [], ...of }
}

function said(of: Partial<ReasonView>, language: 'en' | 'ar' = 'en'): string {
  return plain(sayReason(reason(of)), { t: translator(language), locale: 'en-GB', now: NOW })
}

const TOPOLOGY: Partial<ReasonView> = {
  kind: 'topology',
  pool: 'h100',
  level: 'rack',
  replicasWanted: 4,
  replicasFit: 3,
  gpusEach: 8,
  domain: 'b1-r3',
  nodes: [
    { node: 'b1-r3-n04', total: 8, free: 8, reserved: 0, holders: [] },
    { node: 'b1-r3-n05', total: 8, free: 0, reserved: 8, holders: [] },
    { node: 'b1-r3-n06', total: 8, free: 8, reserved: 0, holders: [] },
    {
      node: 'b1-r3-n07',
      total: 8,
      free: 0,
      reserved: 0,
      holders: [{ job: 7, name: 'bert-sweep', team: 'nlp', gpus: 8, expectedEnd: '2026-11-30T14:54:00Z' }],
    },
  ],
}

describe('why a job waits', () => {
  it('says the cause first, with numbers, and who holds what is missing', () => {
    expect(said(TOPOLOGY)).toBe(
      'It needs 4 whole nodes in one rack. The best rack, b1-r3, has 3. ' +
        'The missing one, b1-r3-n07, is held by nlp / bert-sweep for about 38 min more.',
    )
  })

  it('counts slices where the replicas go in slices', () => {
    expect(
      said({
        ...TOPOLOGY,
        nodes: [],
        replicasWanted: 16,
        replicasFit: 8,
        gpusEach: 1,
        sliceSize: 8,
        sliceLevel: 'nvlink',
      }),
    ).toBe(
      'It needs 16 replicas with 1 GPU each, each 8 of them in one NVLink domain. ' +
        'The best place, b1-r3, has room for 1 such slice.',
    )
    expect(
      said({
        kind: 'never-fits',
        pool: 'h100',
        gpusWanted: 64,
        largestGpus: 32,
        domain: 'b1',
        sliceSize: 8,
        sliceLevel: 'rack',
      }),
    ).toContain('64 GPUs in slices of 8 replicas inside one rack each')
  })

  it('names the node that comes free first when several are missing', () => {
    const nodes = (TOPOLOGY.nodes ?? []).map((node) => ({
      ...node,
      free: 0,
      reserved: 0,
      holders: [
        {
          job: 9,
          team: 'nlp',
          gpus: 8,
          expectedEnd: node.node.endsWith('n05') ? '2026-11-30T14:26:00Z' : undefined,
        },
      ],
    }))
    expect(said({ ...TOPOLOGY, replicasFit: 0, nodes })).toBe(
      'It needs 4 whole nodes in one rack. No rack has a single one free; b1-r3 comes nearest. ' +
        'Of the others, b1-r3-n05 is held by nlp / job 9 for about 10 min more.',
    )
  })

  it('knows which nodes of the best place lack room', () => {
    expect(gapsOf(reason(TOPOLOGY)).map((n) => n.node)).toEqual(['b1-r3-n07'])
  })

  it('does not call a part of a node a whole node', () => {
    expect(said({ ...TOPOLOGY, gpusEach: 2, replicasFit: 3 })).toContain(
      'It needs 4 replicas with 2 GPUs each in one rack.',
    )
  })

  it('says what is free, what is closed and who holds most', () => {
    expect(
      said({
        kind: 'capacity',
        pool: 'h100',
        gpusWanted: 32,
        gpusFree: 28,
        gpusUnavailable: 4,
        holders: [
          { job: 1, name: 'small', team: 'a', gpus: 2 },
          { job: 2, team: 'b', gpus: 64 },
          { gpus: 1 },
          { job: 4, team: 'c', gpus: 8 },
        ],
      }),
    ).toBe(
      'It needs 32 GPUs. In h100 28 are free. 4 more are closed or broken. ' +
        'Most of the rest is held by b / job 2 (64), c / job 4 (8), a / small (2) and 1 more.',
    )
  })

  it('counts one GPU as one', () => {
    expect(said({ kind: 'capacity', level: 'rack', pool: 'a100', gpusWanted: 32, gpusFree: 8 })).toContain(
      '32 GPUs in one rack',
    )
    expect(said({ kind: 'capacity', pool: 'a100', gpusWanted: 1, gpusFree: 0, gpusUnavailable: 1 })).toBe(
      'It needs 1 GPU. In a100 none is free. 1 more is closed or broken.',
    )
  })

  it.each<[Partial<ReasonView>, string]>([
    [
      { kind: 'team-limit', team: 'a/b', pool: 'p', limit: 8, inUse: 6, gpusWanted: 4 },
      'Team a / b may hold at most 8 GPUs in p and holds 6; this job needs 4.',
    ],
    [
      { kind: 'priority', pool: 'p', jobsBefore: 2, gpusBefore: 16, jobs: [4, 5] },
      '2 jobs stand before it in the order of p and take the next 16 GPUs that come free. First go job 4 and job 5.',
    ],
    [
      { kind: 'never-fits', pool: 'p', gpusWanted: 4096, largestGpus: 256, domain: 'b1' },
      'It can never start here: it needs 4,096 GPUs together, and the largest place that exists, b1, has 256 GPUs.',
    ],
    [
      { kind: 'backoff', attempt: 2, failure: 'NODE_LOST', until: '2026-11-30T14:17:00Z' },
      'Attempt 2 ended: a node was lost. The next one starts in 1 min at the earliest.',
    ],
    [{ kind: 'paused', why: 'cooling' }, 'Nothing new is started anywhere at the moment: “cooling”.'],
    [{ kind: 'held' }, 'It is held and does not take part in the order until somebody releases it.'],
  ])('%o', (of, sentence) => {
    expect(said(of)).toBe(sentence)
  })

  it('leaves no name of the catalogue unfilled, in either language, for any kind', () => {
    const kinds =
      'never-fits team-limit user-limit quota-in-use guarantee-in-use priority capacity fragmentation topology reserved waiting-for-victims held backoff paused preemption-frozen image-unseen not-yet-planned'
    for (const kind of kinds.split(' ')) {
      for (const language of ['en', 'ar'] as const) {
        for (const more of [
          {},
          { ...TOPOLOGY, until: '2026-11-30T15:00:00Z', why: 'x', team: 't', largestGpus: 3, jobs: [1] },
        ]) {
          expect(said({ ...more, kind }, language), kind).not.toMatch(/[{}<>]|undefined|NaN/)
        }
      }
    }
  })

  it('falls back to the server’s sentence for a kind it does not know', () => {
    expect(said({ kind: 'moon-phase', sentence: 'The moon is full.' })).toBe('The moon is full.')
  })
})
