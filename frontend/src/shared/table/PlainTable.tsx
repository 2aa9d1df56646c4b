import type { ReactNode } from 'react'
import { useScrolls } from './useScrolls'
import styles from './PlainTable.module.css'

export interface PlainColumn {
  header: ReactNode
  numeric?: boolean
  narrow?: boolean
  width?: string
}

/** A short table inside a card. On small screens it scrolls by itself, never the page. */
export function PlainTable({
  label,
  columns,
  rows,
}: {
  label: string
  columns: readonly PlainColumn[]
  rows: readonly { key: string; cells: readonly ReactNode[] }[]
}) {
  const [scroller, scrolls] = useScrolls<HTMLDivElement>()
  const of = (i: number) => {
    const column = columns[i]
    return [column?.numeric ? styles.numeric : '', column?.narrow === false ? styles.wide : ''].join(' ')
  }
  return (
    <div className={styles.scroll} ref={scroller} tabIndex={scrolls ? 0 : undefined}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map((c, i) => (
              <th key={i} scope="col" className={of(i)} style={{ inlineSize: c.width }}>
                {c.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              {row.cells.map((cell, i) => (
                <td key={i} className={of(i)}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
