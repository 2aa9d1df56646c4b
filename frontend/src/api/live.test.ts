import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Throttle, keysFor } from './live'

describe('live updates', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('turn a burst of events into one read of each kind', () => {
    const run = vi.fn()
    const throttle = new Throttle(run, 500)
    for (let i = 0; i < 1000; i++)
      throttle.add([
        ['jobs', 'list'],
        ['jobs', 'one', String(i % 2)],
      ])
    expect(run).not.toHaveBeenCalled()
    vi.advanceTimersByTime(500)
    expect(run.mock.calls.map(([key]) => (key as string[]).join('/'))).toEqual([
      'jobs/list',
      'jobs/one/0',
      'jobs/one/1',
    ])
    vi.advanceTimersByTime(5000)
    expect(run).toHaveBeenCalledTimes(3)
  })

  it('go on after a pause, and stop when asked', () => {
    const run = vi.fn()
    const throttle = new Throttle(run, 500)
    throttle.add([['a']])
    vi.advanceTimersByTime(500)
    throttle.add([['a']])
    throttle.stop()
    vi.advanceTimersByTime(500)
    expect(run).toHaveBeenCalledTimes(1)
  })

  it('read the job that an event is about, and the lists that hold it', () => {
    expect(keysFor('job', { job: 7 })).toContainEqual(['jobs', 'one', '7'])
    expect(keysFor('fleet', {})).toContainEqual(['fleet'])
  })

  it('read everything again after a resync', () => {
    expect(keysFor('resync', {})).toEqual([[]])
  })
})
