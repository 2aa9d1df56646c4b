import { useEffect, useReducer, useState } from 'react'
import { get, queryString } from '~/api/client'
import { asProblem, isRecord, type Problem } from '~/api/problem'
import type { LogLine, LogPage } from '~/api/types'
import { EMPTY, append, type Buffer } from './buffer'

export interface LogSource {
  job: number
  attempt?: number
  replica?: string
}

export interface Logs {
  buffer: Buffer
  dropped: number
  /** `ended`: all that will ever come is here. */
  state: 'loading' | 'live' | 'lost' | 'ended' | 'failed'
  problem: Problem | null
  /** When the output of an ended job goes, or went. */
  keptUntil: string | null
}

const BEFORE: Omit<Logs, 'buffer'> = { dropped: 0, state: 'loading', problem: null, keptUntil: null }
const TAIL = 2000
/** Lines are gathered for a moment, so that a flood is drawn a few times a second and not a thousand times. */
const GATHER_MS = 150

/** The last lines of a job's output, then every new one as it is written. */
export function useLogs({ job, attempt, replica }: LogSource): Logs {
  const [buffer, add] = useReducer(append, EMPTY)
  const [rest, setRest] = useState<Omit<Logs, 'buffer'>>(BEFORE)
  useEffect(() => {
    const stop = new AbortController()
    let source: EventSource | undefined
    let waiting: LogLine[] = []
    const timer = setInterval(() => {
      if (waiting.length > 0) add(waiting)
      waiting = []
    }, GATHER_MS)
    const path = `/jobs/${job}/logs`
    const open = (cursor: string | undefined) => {
      source = new EventSource(`/api/v1${path}${queryString({ attempt, replica, cursor })}`)
      source.onopen = () => setRest((old) => ({ ...old, state: 'live' }))
      source.onerror = () => setRest((old) => ({ ...old, state: old.state === 'ended' ? 'ended' : 'lost' }))
      source.addEventListener('log', (e: MessageEvent<string>) => waiting.push(JSON.parse(e.data) as LogLine))
      source.addEventListener('dropped', (e: MessageEvent<string>) => {
        const n = countOf(e.data)
        setRest((old) => ({ ...old, dropped: n }))
      })
      source.addEventListener('end', () => {
        source?.close()
        setRest((old) => ({ ...old, state: 'ended' }))
      })
    }
    get<LogPage>(path, { attempt, replica, tail: TAIL }, stop.signal)
      .then((page) => {
        add(page.lines)
        setRest({
          dropped: page.dropped,
          state: page.next ? 'live' : 'ended',
          problem: null,
          keptUntil: page.keptUntil ?? null,
        })
        if (page.next) open(page.next)
      })
      .catch((error: unknown) => {
        if (!stop.signal.aborted) setRest({ ...BEFORE, state: 'failed', problem: asProblem(error) })
      })
    return () => {
      stop.abort()
      source?.close()
      clearInterval(timer)
    }
  }, [job, attempt, replica])
  return { buffer, ...rest }
}

function countOf(data: string): number {
  const value: unknown = JSON.parse(data)
  if (typeof value === 'number') return value
  const n = isRecord(value) ? (value.dropped ?? value.lines) : 0
  return typeof n === 'number' ? n : 0
}
