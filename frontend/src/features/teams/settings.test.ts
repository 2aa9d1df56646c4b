import { describe, expect, it } from 'vitest'
import type { Defaults } from '~/api/types'
import { cleaned, differing, inherited, isOrder } from './settings'

const none: Defaults = {
  cpusPerGpu: null,
  memoryPerGpu: null,
  sharedMemory: null,
  walltime: null,
  maxWalltime: null,
  imageAllowlist: [],
  userGpuCap: null,
  userQueueCap: null,
}

describe('settings of a team', () => {
  it('say nothing where the field is blank', () => {
    const sent = cleaned({ ...none, walltime: '  ', memoryPerGpu: ' 64Gi ', imageAllowlist: [' a/b ', ''] })
    expect(sent).toEqual({ ...none, memoryPerGpu: '64Gi', imageAllowlist: ['a/b'] })
  })

  it('come from above where the team says nothing', () => {
    const settings = {
      own: { ...none, walltime: '1h' },
      effective: { ...none, walltime: '1h', maxWalltime: '7d' },
      volumes: [],
      version: 1,
    }
    expect(inherited(settings, 'maxWalltime')).toBe(true)
    expect(inherited(settings, 'walltime')).toBe(false)
    expect(inherited(settings, 'userGpuCap')).toBe(false)
    expect(inherited({ ...settings, effective: { ...none, order: 'fifo' } }, 'order')).toBe(true)
  })

  it('know the orders of the server, and no others', () => {
    expect(isOrder('attained-service')).toBe(true)
    expect(isOrder('newest-first')).toBe(false)
    expect(isOrder(null)).toBe(false)
  })

  it('differ by name, so that a conflict can show it', () => {
    expect(
      differing({ ...none, walltime: '1h' }, { ...none, walltime: '2h', imageAllowlist: ['x'] }),
    ).toEqual(['walltime', 'imageAllowlist'])
    expect(differing({ ...none, order: 'fifo' }, none)).toEqual(['order'])
    expect(differing(none, { ...none })).toEqual([])
  })
})
