import { describe, expect, it } from 'vitest'
import { commonScale, shareGeometry, type Share } from './geometry'

const share = (of: Partial<Share>): Share => ({
  allocated: 0,
  borrowed: 0,
  deserved: 0,
  entitlement: 0,
  wanted: 0,
  ...of,
})

describe('share bar', () => {
  it('draws what is in use, then what is borrowed, then what is wanted, in order and without overlap', () => {
    const g = shareGeometry(
      share({ allocated: 128, borrowed: 8, deserved: 151, entitlement: 120, wanted: 60 }),
      200,
    )
    expect(g.own).toBe(60)
    expect(g.borrowed).toEqual({ start: 60, width: 4 })
    expect(g.wanted).toEqual({ start: 64.6, width: 30 })
    expect(g.deserved).toBe(75.5)
    expect(g.entitlement).toBe(60)
  })

  it('keeps a long queue on the bar', () => {
    const g = shareGeometry(share({ allocated: 50, wanted: 100_000 }), 100)
    expect((g.wanted?.start ?? 0) + (g.wanted?.width ?? 0)).toBe(100)
  })

  it('shows nothing where there is nothing', () => {
    const g = shareGeometry(share({}), 64)
    expect(g).toEqual({ own: 0, borrowed: null, wanted: null, deserved: 0, entitlement: 0 })
  })

  it('never draws more borrowed than is in use', () => {
    const g = shareGeometry(share({ allocated: 4, borrowed: 9 }), 16)
    expect(g.own).toBe(0)
    expect(g.borrowed).toEqual({ start: 0, width: 25 })
  })

  it('shares one scale with room for the largest mark', () => {
    const shares = [share({ deserved: 184, allocated: 152, wanted: 32 }), share({ entitlement: 88 })]
    const scale = commonScale(shares)
    expect(scale).toBeGreaterThanOrEqual(184)
    expect(scale).toBeLessThan(184 * 1.4)
    expect(commonScale([])).toBe(4)
  })

  it('is not stretched by demand beyond the deserved share', () => {
    expect(commonScale([share({ deserved: 32, allocated: 30, wanted: 100_000 })])).toBeLessThan(100)
  })
})
