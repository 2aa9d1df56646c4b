import { Checkbox } from '@mantine/core'
import { useTable, type ColumnDef, type RowSelectionState } from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, type ReactNode } from 'react'
import { useI18n } from '~/i18n'
import { BodyRow, features } from './BodyRow'
import { classOf, type Column } from './column'
import { useAnchor } from './useAnchor'
import { useRowKeys } from './useRowKeys'
import styles from './DataTable.module.css'

interface Props<T> {
  label: string
  rows: readonly T[]
  columns: readonly Column<T>[]
  idOf: (row: T) => string
  onOpen?: (row: T) => void
  selected?: RowSelectionState
  onSelect?: (selected: RowSelectionState) => void
  /** All rows that there are, when more can be loaded. */
  total?: number
  onEnd?: () => void
  foot?: ReactNode
  /** One of several on the screen: it takes no more than a part of it. */
  short?: boolean
}

const ROW = 41

/** A table for many rows: only those in sight are drawn, arrows move, Enter opens, Space selects. */
export function DataTable<T extends object>(props: Props<T>) {
  const { rows, columns, idOf, selected, onSelect, onOpen, onEnd } = props
  const { t } = useI18n()
  const scroller = useRef<HTMLDivElement>(null)
  const table = useTable<typeof features, T>({
    features,
    data: rows as T[],
    columns: columns.map((c): ColumnDef<typeof features, T> => ({
      id: c.id,
      cell: (x) => c.cell(x.row.original),
    })),
    getRowId: idOf,
    state: { rowSelection: selected ?? {} },
    enableRowSelection: onSelect !== undefined,
    onRowSelectionChange: (next) => onSelect?.(typeof next === 'function' ? next(selected ?? {}) : next),
  })
  const all = table.getRowModel().rows
  const virtual = useVirtualizer({
    count: all.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 12,
    getItemKey: (i) => all[i]?.id ?? i,
  })
  useAnchor(scroller, all, ROW)
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (onEnd && last >= all.length - 15) onEnd()
  }, [last, all.length, onEnd])
  const keys = useRowKeys({
    count: all.length,
    scrollTo: (i) => virtual.scrollToIndex(i),
    open: (i) => all[i] && onOpen?.(all[i].original),
    toggle: (i) => onSelect && all[i]?.toggleSelected(),
    body: scroller,
  })
  const before = items[0]?.start ?? 0
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <div ref={scroller} className={styles.scroller} data-short={props.short || undefined} data-testid="rows">
      <table
        className={styles.table}
        aria-label={props.label}
        aria-rowcount={props.total ?? all.length}
        onKeyDown={keys.onKeyDown}
      >
        <thead>
          <tr>
            {onSelect && (
              <th className={styles.check}>
                <Checkbox
                  size="xs"
                  aria-label={t('table.all')}
                  checked={all.length > 0 && table.getIsAllRowsSelected()}
                  indeterminate={table.getIsSomeRowsSelected()}
                  onChange={table.getToggleAllRowsSelectedHandler()}
                />
              </th>
            )}
            {columns.map((c) => (
              <th key={c.id} style={{ inlineSize: c.width }} className={classOf(c)} scope="col">
                {c.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <Spacer size={before} />}
          {items.map((item) => {
            const row = all[item.index]
            return (
              row && (
                <BodyRow
                  key={row.id}
                  row={row}
                  index={item.index}
                  columns={columns}
                  selectable={onSelect !== undefined}
                  current={keys.current === item.index}
                  onFocus={() => keys.setCurrent(item.index)}
                  onOpen={onOpen}
                />
              )
            )
          })}
          {after > 0 && <Spacer size={after} />}
        </tbody>
      </table>
      {props.foot}
    </div>
  )
}

/** One cell only: a span would count columns that small screens hide. */
function Spacer({ size }: { size: number }) {
  return (
    <tr aria-hidden>
      <td style={{ blockSize: size }} className={styles.spacer} />
    </tr>
  )
}
