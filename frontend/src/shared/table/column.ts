import type { ReactNode } from 'react'
import styles from './DataTable.module.css'

/** A column. `narrow: false` hides it on small screens; `numeric` aligns it to the end. */
export interface Column<T> {
  id: string
  header: ReactNode
  cell: (row: T) => ReactNode
  width?: string
  numeric?: boolean
  narrow?: boolean
}

export function classOf<T>(column: Column<T>): string {
  const grows = column.width === undefined || column.width.endsWith('%')
  return [column.numeric && styles.numeric, column.narrow === false && styles.wide, grows && styles.grows]
    .filter(Boolean)
    .join(' ')
}
