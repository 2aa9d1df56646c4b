import { useMediaQuery } from '@mantine/hooks'
import { Fragment, type ReactNode } from 'react'
import { useScrolls } from './useScrolls'
import styles from './PlainTable.module.css'

export interface PlainColumn {
  header: ReactNode
  numeric?: boolean
  /** False: where there is no room for the column, it stands below its row. */
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
  const narrow = useMediaQuery('(width <= 760px)')
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
            <Fragment key={row.key}>
              <tr>
                {row.cells.map((cell, i) => (
                  <td key={i} className={of(i)}>
                    {cell}
                  </td>
                ))}
              </tr>
              {narrow && <Below columns={columns} cells={row.cells} />}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** What the row says in columns that a small screen has no room for. */
function Below({ columns, cells }: { columns: readonly PlainColumn[]; cells: readonly ReactNode[] }) {
  const kept = columns.flatMap((column, i) => {
    const cell = cells[i]
    const says = cell !== '' && cell !== null && cell !== undefined && cell !== false
    return column.narrow === false && says ? [{ i, header: column.header, cell }] : []
  })
  if (kept.length === 0) return null
  return (
    <tr className={styles.below}>
      <td colSpan={columns.length}>
        <dl>
          {kept.map(({ i, header, cell }) => (
            <div key={i}>
              <dt>{header}</dt>
              <dd>{cell}</dd>
            </div>
          ))}
        </dl>
      </td>
    </tr>
  )
}
