import { useEffect, useRef, useState, type RefObject } from 'react'

/** Whether what is inside is wider than its frame: then the frame has to be reachable by keyboard. */
export function useScrolls<E extends HTMLElement>(): [RefObject<E | null>, boolean] {
  const frame = useRef<E>(null)
  const [scrolls, setScrolls] = useState(false)
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const look = () => setScrolls(element.scrollWidth > element.clientWidth + 1)
    const watch = new ResizeObserver(look)
    watch.observe(element)
    if (element.firstElementChild) watch.observe(element.firstElementChild)
    return () => watch.disconnect()
  }, [])
  return [frame, scrolls]
}
