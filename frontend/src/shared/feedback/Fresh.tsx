import { useRef, type ReactNode } from 'react'

/** A value that fades in when it changes, and does not move what is around it. */
export function Fresh({ of, children }: { of: string | number | null | undefined; children?: ReactNode }) {
  const first = useRef(of)
  const changed = first.current !== of
  return (
    <span key={String(of)} className={changed ? 'fresh' : undefined}>
      {children ?? of}
    </span>
  )
}
