import { describe, expect, it } from 'vitest'
import type { Notice } from '~/api/types'
import { catalogues } from '~/i18n/catalogues'
import { sayNotice } from './notices'

const notice = (part: Partial<Notice>): Notice => ({
  kind: 'failed',
  job: null,
  node: null,
  sentence: 'said in English',
  beneficiary: null,
  at: null,
  reason: null,
  problem: null,
  detail: null,
  gpus: null,
  gpusOf: null,
  ...part,
})

describe('what needs somebody', () => {
  it('is made of data in every kind, never of the server’s English', () => {
    for (const part of [
      { kind: 'yielding', job: 1, beneficiary: 2, at: '2026-01-01T00:00:00Z' },
      { kind: 'yielding', job: 1, beneficiary: 1 },
      { kind: 'never-fits', job: 1 },
      { kind: 'failed', job: 1 },
      { kind: 'held', job: 1 },
      { kind: 'walltime-soon', job: 1, at: '2026-01-01T00:00:00Z' },
      { kind: 'hung', job: 1, at: '2026-01-01T00:00:00Z' },
      { kind: 'node-problem', node: 'n1', problem: 'unreachable' },
      { kind: 'node-problem', node: 'n1', problem: 'not-ready' },
      { kind: 'node-problem', node: 'n1', problem: 'not-ready', detail: 'GpuXidError' },
      { kind: 'node-problem', node: 'n1', problem: 'gpus-lost', gpus: 7, gpusOf: 8 },
    ]) {
      for (const { key } of sayNotice(notice(part))) {
        expect(catalogues.ar[key], key).toBeDefined()
        expect(key).not.toBe('why.unknown')
      }
    }
  })

  it('keeps the numbers of a node that lost GPUs', () => {
    const [said] = sayNotice(
      notice({ kind: 'node-problem', node: 'n1', problem: 'gpus-lost', gpus: 7, gpusOf: 8 }),
    )
    expect(said?.v).toEqual({ node: 'n1', n: 7, of: 8 })
  })

  it('says what it does not know in the words that it was told', () => {
    expect(sayNotice(notice({ kind: 'new-kind' }))[0]?.v.kind).toBe('said in English')
  })
})
