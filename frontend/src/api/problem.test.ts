import { describe, expect, it } from 'vitest'
import { Problem } from './problem'

describe('problems', () => {
  it('keep their stable kind and the fields at fault', () => {
    const p = Problem.from(422, {
      type: 'https://muster.io/problems/invalid-job',
      title: 'The job is not valid',
      detail: 'replicas must be at least 1',
      errors: [{ field: 'replicas', detail: 'must be at least 1' }],
      largest: 64,
    })
    expect(p.kind).toBe('invalid-job')
    expect(p.errors).toEqual([{ field: 'replicas', detail: 'must be at least 1' }])
    expect(p.extra).toEqual({ largest: 64 })
    expect(p.message).toBe('replicas must be at least 1')
  })

  it('take a single field', () => {
    expect(Problem.from(400, { detail: 'unknown field', field: 'gpuz' }).errors).toEqual([
      { field: 'gpuz', detail: 'unknown field' },
    ])
  })

  it('survive an answer that is no problem at all', () => {
    expect(Problem.from(502, '<html>').kind).toBe('blank')
    expect(Problem.from(502, null).status).toBe(502)
  })
})
