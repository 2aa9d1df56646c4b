import { useSyncExternalStore } from 'react'

/** The cluster's clock: a virtual cluster may run faster than ours. All times of the interface are read on it. */
let clock = { cluster: Date.now(), here: Date.now(), scale: 1 }

export function setClusterClock(clusterNow: string, scale: number, here = Date.now()): void {
  const cluster = new Date(clusterNow).getTime()
  if (!Number.isNaN(cluster)) clock = { cluster, here, scale: scale > 0 ? scale : 1 }
}

/** Milliseconds since the epoch on the cluster's clock. */
export function clusterNow(here = Date.now()): number {
  return clock.cluster + (here - clock.here) * clock.scale
}

let now = clusterNow()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = clusterNow()
    for (const each of listeners) each()
  }, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function read(): number {
  // Before the timer runs nobody has moved `now`; it stays the same within one render, as React wants.
  if (timer === undefined && Math.abs(clusterNow() - now) > 1000 * clock.scale) now = clusterNow()
  return now
}

/** The time, told once a second to all who show it. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, read)
}
