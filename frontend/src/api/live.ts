import { useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isRecord } from './problem'

export type LiveState = 'connecting' | 'on' | 'off'

const THROTTLE_MS = 1000

/** Invalidates at most once per interval and key, so that a burst of events is one refetch. */
export class Throttle {
  private readonly due = new Map<string, QueryKey>()
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    private readonly run: (key: QueryKey) => void,
    private readonly ms = THROTTLE_MS,
  ) {}

  add(keys: readonly QueryKey[]): void {
    for (const key of keys) this.due.set(JSON.stringify(key), key)
    this.timer ??= setTimeout(() => this.flush(), this.ms)
  }

  stop(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.due.clear()
  }

  private flush(): void {
    const keys = [...this.due.values()]
    this.due.clear()
    this.timer = undefined
    for (const key of keys) this.run(key)
  }
}

/** Opens the event stream for as long as the caller is mounted. */
export function useLiveUpdates(): LiveState {
  const client = useQueryClient()
  const [state, setState] = useState<LiveState>('connecting')
  useEffect(() => listen(client, setState), [client])
  return state
}

/** What to read again after an event of the stream. */
export function keysFor(event: string, data: unknown): QueryKey[] {
  switch (event) {
    case 'job': {
      const id = isRecord(data) ? String(data.job) : ''
      return [
        ['jobs', 'one', id],
        ['jobs', 'list'],
        ['jobs', 'overview'],
        ['shares', 'queue'],
      ]
    }
    case 'fleet':
      return [['fleet'], ['jobs', 'overview']]
    case 'shares':
      return [['shares'], ['jobs', 'overview'], ['fleet']]
    case 'mode':
      return [['mode'], ['jobs', 'overview']]
    default:
      return [[]]
  }
}

const EVENTS = ['job', 'fleet', 'shares', 'mode', 'resync'] as const

function listen(client: QueryClient, tell: (state: LiveState) => void): () => void {
  const throttle = new Throttle(
    (queryKey) => void client.invalidateQueries({ queryKey }, { cancelRefetch: false }),
  )
  const source = new EventSource('/api/v1/events')
  let lost = false
  source.onopen = () => {
    tell('on')
    // Job events are resumed by the stream itself; the rest is only told once, so read it again.
    if (lost) void client.invalidateQueries()
    lost = false
  }
  source.onerror = () => {
    lost = true
    tell('off')
  }
  for (const name of EVENTS) {
    source.addEventListener(name, (event: MessageEvent<string>) =>
      throttle.add(keysFor(name, parsed(event.data))),
    )
  }
  return () => {
    source.close()
    throttle.stop()
  }
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data) as unknown
  } catch {
    return null
  }
}
