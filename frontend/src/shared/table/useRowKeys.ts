import { useState, type KeyboardEvent, type RefObject } from 'react'

interface Rows {
  count: number
  scrollTo: (index: number) => void
  open: (index: number) => void
  toggle: (index: number) => void
  body: RefObject<HTMLElement | null>
}

const PAGE = 15

/** One row at a time is in the tab order; arrows, Page Up/Down, Home and End move it, Enter opens, Space selects. */
export function useRowKeys({ count, scrollTo, open, toggle, body }: Rows) {
  const [wanted, setCurrent] = useState(0)
  const current = Math.min(wanted, Math.max(0, count - 1))
  const move = (to: number) => {
    const next = Math.max(0, Math.min(count - 1, to))
    setCurrent(next)
    scrollTo(next)
    // The row may be drawn only after the scroll.
    requestAnimationFrame(() => {
      const row = body.current?.querySelector<HTMLElement>(`[data-row="${next}"]`)
      row?.focus()
    })
  }
  const moves: Record<string, () => void> = {
    ArrowDown: () => move(current + 1),
    ArrowUp: () => move(current - 1),
    PageDown: () => move(current + PAGE),
    PageUp: () => move(current - PAGE),
    Home: () => move(0),
    End: () => move(count - 1),
    Enter: () => open(current),
    ' ': () => toggle(current),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLTableRowElement)) return
    const act = moves[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
  return { current, setCurrent, onKeyDown }
}
