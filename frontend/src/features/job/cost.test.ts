import { describe, expect, it } from 'vitest'
import type { JobDetail, PoolView } from '~/api/types'
import { translator } from '~/i18n/provider'
import { sayCost } from './cost'

const t = translator('en')
const number = (n: number) => String(n)
const pools = [
  { id: 'h100', microsPerGpuHour: 2_500_000 },
  { id: 'l4', microsPerGpuHour: 0 },
] as PoolView[]

function detail(pool: string | null, gpuHours = 0): JobDetail {
  return {
    job: { gpus: 8, pool, headline: null },
    walltimeSeconds: 7200,
    cost: { gpuHours, micros: gpuHours * 2_500_000, currency: 'USD' },
  } as unknown as JobDetail
}

describe('the cost of a job', () => {
  it('that waits is bounded by its walltime, in money too where the price is known', () => {
    expect(sayCost(detail('h100'), pools, t, number)).toBe('at most 16 GPU-h, 40 USD')
    expect(sayCost(detail('l4'), pools, t, number)).toBe('at most 16 GPU-h')
    expect(sayCost(detail(null), pools, t, number)).toBe('at most 16 GPU-h')
  })

  it('that ran is what it used', () => {
    expect(sayCost(detail('h100', 0.5), pools, t, number)).toBe('0.5 GPU-h, 1.25 USD')
  })

  it('without a walltime is not made up', () => {
    expect(sayCost({ ...detail('h100'), walltimeSeconds: null }, pools, t, number)).toBe('')
  })
})
