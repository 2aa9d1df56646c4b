import { expect, it } from 'vitest'
import type { JobSummary } from '~/api/types'
import { NONE, pick } from './picked'

const rows = (...ids: number[]) => ids.map((id) => ({ id }) as JobSummary)

it('keeps what other tables have selected', () => {
  const first = pick(NONE, rows(1, 2), { 1: true })
  const second = pick(first, rows(7), { 7: true })
  expect([...second]).toEqual([1, 7])
  expect([...pick(second, rows(1, 2), {})]).toEqual([7])
})
