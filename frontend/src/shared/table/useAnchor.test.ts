import { describe, expect, it } from 'vitest'
import { shift } from './useAnchor'

const rows = (ids: string) => [...ids].map((id) => ({ id }))

describe('what one reads stays where it is', () => {
  it('when rows come above it', () => {
    expect(shift(rows('cdef'), rows('abcdef'), 2)).toBe(2)
  })

  it('when rows above it go', () => {
    expect(shift(rows('abcdef'), rows('cdef'), 3)).toBe(-2)
  })

  it('when the row itself goes', () => {
    expect(shift(rows('abcdef'), rows('xyabdef'), 2)).toBe(1)
  })

  it('when everything is new, nothing is moved', () => {
    expect(shift(rows('abc'), rows('xyz'), 1)).toBe(0)
  })
})
