import { describe, expect, it } from 'vitest'
import type { LogLine } from '~/api/types'
import { EMPTY, KEPT, append, matching, plainText } from './buffer'

const line = (n: number, replica = 'worker-0', text = `line ${n}`): LogLine => ({
  attempt: 1,
  replica,
  line: n,
  at: '2026-01-01T00:00:00Z',
  text,
})

describe('log buffer', () => {
  it('shows nothing twice when the stream starts again', () => {
    const once = append(EMPTY, [line(0), line(1), line(0, 'worker-1')])
    const again = append(once, [line(1), line(2), line(0, 'worker-1')])
    expect(again.lines.map((l) => `${l.replica}:${l.line}`)).toEqual([
      'worker-0:0',
      'worker-0:1',
      'worker-1:0',
      'worker-0:2',
    ])
  })

  it('keeps the newest lines and says that older ones are cut', () => {
    const full = append(
      EMPTY,
      Array.from({ length: KEPT }, (_, i) => line(i)),
    )
    expect(full.cut).toBe(false)
    const over = append(full, [line(KEPT)])
    expect(over.lines).toHaveLength(KEPT)
    expect(over.cut).toBe(true)
    expect(over.lines.at(-1)?.line).toBe(KEPT)
  })

  it('is the same object when nothing is new, so that nothing is drawn again', () => {
    const once = append(EMPTY, [line(0)])
    expect(append(once, [line(0)])).toBe(once)
  })

  it('finds words in any case', () => {
    expect(matching([line(0, 'r', 'CUDA out of memory'), line(1, 'r', 'ok')], 'Out Of')).toHaveLength(1)
  })

  it('drops control sequences', () => {
    expect(plainText('\u001b[31mred\u001b[0m\u0007\ttab')).toBe('red\ttab')
  })
})
