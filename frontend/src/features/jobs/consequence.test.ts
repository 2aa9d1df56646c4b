import { describe, expect, it } from 'vitest'
import type { BulkItem } from '~/api/types'
import { translator } from '~/i18n/provider'
import { byWeight, sayConsequence } from './consequence'

const t = translator('en')
const item = (part: Partial<BulkItem>): BulkItem => ({
  job: 1,
  outcome: 'would-do',
  code: null,
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

  it('says in the reader’s language why it would not be done, and in the server’s words what is new here', () => {
    const refused = item({ outcome: 'refused', code: 'ended', detail: 'The job has ended.', state: 'FAILED' })
    expect(sayConsequence('cancel', refused, '', t)).toBe('The job has ended: Failed.')
    expect(sayConsequence('cancel', refused, '', translator('ar'))).toContain('انتهت')
    const other = item({ outcome: 'refused', code: 'unheard-of', detail: 'It may not.' })
    expect(sayConsequence('cancel', other, '', translator('ar'))).toBe('It may not.')
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
