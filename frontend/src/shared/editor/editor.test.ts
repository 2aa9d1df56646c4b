import { describe, expect, it } from 'vitest'
import { Echoes } from './echoes'
import { smallestChange } from './smallestChange'

describe('what is typed', () => {
  it('is not undone by its own echo, however late', () => {
    const echoes = new Echoes()
    echoes.said('g')
    echoes.said('gp')
    echoes.said('gpu')
    // The page drew the second state only, after the third was typed.
    expect(echoes.heard('gp')).toBe(true)
    expect(echoes.heard('gpu')).toBe(true)
  })

  it('gives way to what the form writes', () => {
    const echoes = new Echoes()
    echoes.said('name: a')
    expect(echoes.heard('name: b')).toBe(false)
    expect(echoes.heard('name: a')).toBe(false)
  })
})

describe('the smallest change', () => {
  it.each([
    ['abc', 'abc', null],
    ['abc', 'axc', { from: 1, to: 2, insert: 'x' }],
    ['abc', 'abcd', { from: 3, to: 3, insert: 'd' }],
    ['aa', 'aaa', { from: 2, to: 2, insert: 'a' }],
    ['', 'x', { from: 0, to: 0, insert: 'x' }],
    ['x', '', { from: 0, to: 1, insert: '' }],
  ])('from %j to %j', (before, after, change) => {
    expect(smallestChange(before, after)).toEqual(change)
  })
})
