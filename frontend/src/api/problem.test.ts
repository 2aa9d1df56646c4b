import { describe, expect, it } from 'vitest'
import { Problem } from './problem'

describe('problems', () => {
  it('keep their stable kind, the fields at fault and the reasons', () => {
    const p = Problem.from(422, {
      type: 'https://muster.dev/problems/never-fits',
      title: 'The job could never fit',
      detail: 'The largest gang that fits has 256 GPUs.',
      errors: [{ field: 'replicas', code: 'too-large', message: 'must be at most 32', line: 3, column: 11 }],
      reasons: [{ kind: 'never-fits', largestGpus: 256 }],
    })
    expect(p.kind).toBe('never-fits')
    expect(p.errors).toEqual([
      { field: 'replicas', code: 'too-large', message: 'must be at most 32', line: 3, column: 11 },
    ])
    expect(p.reasons[0]).toMatchObject({ kind: 'never-fits', largestGpus: 256 })
    expect(p.message).toBe('The largest gang that fits has 256 GPUs.')
  })

  it('survive an answer that is no problem at all', () => {
    expect(Problem.from(502, '<html>').kind).toBe('blank')
    expect(Problem.from(502, null).status).toBe(502)
  })
})
