import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, type CSSProperties } from 'react'
import type { LogLine } from '~/api/types'
import { colourVar } from '~/shared/gpu'
import { Instant } from '~/shared/time'
import { plainText } from './buffer'
import styles from './Logs.module.css'

/** Lines of output; only those in sight are drawn. While it follows, the newest stay in sight. */
export function LogLines({
  lines,
  q,
  follow,
  onFollow,
  named,
}: {
  lines: readonly LogLine[]
  q: string
  follow: boolean
  onFollow: (follow: boolean) => void
  named: boolean
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 20,
    overscan: 20,
  })
  const count = lines.length
  useEffect(() => {
    if (follow && count > 0) virtual.scrollToIndex(count - 1, { align: 'end' })
  }, [follow, count, virtual])
  return (
    <div
      ref={scroller}
      className={styles.lines}
      dir="ltr"
      tabIndex={0}
      role="log"
      data-testid="log"
      onWheel={(e) => {
        // Somebody who scrolls up wants to read, not to be carried along.
        if (e.deltaY < 0 && follow) onFollow(false)
      }}
    >
      <div style={{ blockSize: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map((item) => {
          const line = lines[item.index]
          if (!line) return null
          return (
            <div
              key={item.key}
              ref={virtual.measureElement}
              data-index={item.index}
              className={styles.line}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <span className={styles.time}>
                <Instant at={line.at} seconds />
              </span>
              {named && (
                <span
                  className={styles.replica}
                  style={{ '--replica': colourVar(indexOf(line.replica)) } as CSSProperties}
                >
                  {line.replica}
                </span>
              )}
              <span className={styles.text}>
                <Marked text={plainText(line.text)} q={q} />
              </span>
            </div>
          )
        })}
      </div>
    </div>
  )
}

function indexOf(replica: string): number {
  return Number(/-(\d+)$/.exec(replica)?.[1] ?? 0)
}

function Marked({ text, q }: { text: string; q: string }) {
  const wanted = q.trim()
  const at = wanted === '' ? -1 : text.toLowerCase().indexOf(wanted.toLowerCase())
  if (at < 0) return text
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + wanted.length)}</mark>
      {text.slice(at + wanted.length)}
    </>
  )
}
