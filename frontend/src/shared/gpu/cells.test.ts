import { describe, expect, it } from 'vitest'
import { cellsOfGap, cellsOfPlace } from './cells'

const kinds = (cells: { kind: string }[]) => cells.map((c) => c.kind[0]).join('')

describe('cells of a strip', () => {
  it('draw a node of the best place: held, kept, free, and the unexplained rest as closed', () => {
    const holders = [{ job: 1, team: 'a', gpus: 3 }, { gpus: 1 }]
    expect(kinds(cellsOfGap({ node: 'n', total: 8, free: 1, reserved: 2, holders }, () => 4))).toBe(
      'bbbcrrfc',
    )
  })

  it('never draw more cells than the node has GPUs', () => {
    const holders = [{ job: 1, gpus: 8 }]
    expect(cellsOfGap({ node: 'n', total: 8, free: 0, reserved: 8, holders }, () => 0)).toHaveLength(8)
  })

  it('draw what a new job would take', () => {
    expect(kinds(cellsOfPlace({ node: 'n', total: 8, busy: 2, gpus: 4 }, 1))).toBe('ccbbbbff')
  })
})
