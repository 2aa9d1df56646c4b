import { describe, expect, it } from 'vitest'
import type { BulkItem } from '~/api/types'
import { translator } from '~/i18n/provider'
import { byWeight, sayConsequence } from './consequence'

const t = translator('en')
const item = (part: Partial<BulkItem>): BulkItem => ({
  job: 1,
  outcome: 'would-do',
  detail: null,
  name: 'x',
  state: 'QUEUED',
  priority: 'normal',
  gpus: 8,
  ...part,
})

describe('a dry run', () => {
  it('says what stopping means: how many GPUs come free', () => {
    expect(sayConsequence('cancel', item({ state: 'RUNNING' }), '', t)).toContain('8 GPUs')
    expect(sayConsequence('cancel', item({}), '', t)).not.toContain('GPU')
  })

  it('tells a job that waits from one that has to save first', () => {
    expect(sayConsequence('hold', item({ state: 'RUNNING' }), '', t)).not.toBe(
      sayConsequence('hold', item({}), '', t),
    )
  })

  it('names both classes', () => {
    expect(sayConsequence('priority', item({}), 'high', t)).toBe('normal becomes high')
  })

  it('gives the server’s reason where it would not be done', () => {
    const refused = item({ outcome: 'refused', detail: 'The job has ended.' })
    expect(sayConsequence('cancel', refused, '', t)).toBe('The job has ended.')
  })

  it('puts what is refused first', () => {
    const items = [
      item({ job: 1, outcome: 'unchanged' }),
      item({ job: 2 }),
      item({ job: 3, outcome: 'refused' }),
    ]
    expect(byWeight(items).map((each) => each.job)).toEqual([3, 2, 1])
  })
})
