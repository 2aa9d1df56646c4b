import { useSyncExternalStore } from 'react'

let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const each of listeners) each()
  }, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) {
      clearInterval(timer)
      timer = undefined
    }
  }
}

/** The time, told once a second to all who show it. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () =>
    timer === undefined ? (now = floorToSecond(Date.now())) : now,
  )
}

function floorToSecond(ms: number): number {
  return ms - (ms % 1000)
}
