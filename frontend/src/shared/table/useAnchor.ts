import { useLayoutEffect, useRef, type RefObject } from 'react'

/** Keeps the row at the top of the view where it is when rows come or go above it. Who is at the very top stays there. */
export function useAnchor(
  scroller: RefObject<HTMLElement | null>,
  rows: readonly { id: string }[],
  height: number,
): void {
  const before = useRef(rows)
  useLayoutEffect(() => {
    const element = scroller.current
    const old = before.current
    before.current = rows
    if (!element || old === rows || element.scrollTop < height) return
    element.scrollTop += shift(old, rows, Math.floor(element.scrollTop / height)) * height
  }, [scroller, rows, height])
}

/** By how many places the row at `index` moved; when it is gone, the next one that is still there counts. */
export function shift(
  before: readonly { id: string }[],
  after: readonly { id: string }[],
  index: number,
): number {
  const places = new Map(after.map((row, i) => [row.id, i]))
  for (let i = index; i < before.length; i++) {
    const place = places.get(before[i]?.id ?? '')
    if (place !== undefined) return place - i
  }
  return 0
}
