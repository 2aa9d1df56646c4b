import { describe, expect, it } from 'vitest'
import { sayDomain, shortNode } from './names'

describe('names of places', () => {
  it.each([
    ['b1/b1-r3', 'b1-r3'],
    ['b1/r1/a100-b1-r1-n3/a100-b1-r1-n3', 'a100-b1-r1-n3'],
    ['b1/r1', 'b1 / r1'],
    ['b1/r10', 'b1 / r10'],
    ['', ''],
  ])('%s is said as %s', (path, said) => {
    expect(sayDomain(path)).toBe(said)
  })

  it.each([
    ['b1-r3-n07', 'b1/b1-r3', 'n07'],
    ['h100-b1-r3-n07', 'b1/r3', 'n07'],
    ['gpu-7', 'r1', 'gpu-7'],
    ['r1', 'r1', 'r1'],
    ['n1', null, 'n1'],
  ])('node %s in %s is short for %s', (node, place, short) => {
    expect(shortNode(node, place)).toBe(short)
  })
})
