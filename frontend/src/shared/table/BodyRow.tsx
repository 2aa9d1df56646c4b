import { Checkbox } from '@mantine/core'
import { rowSelectionFeature, tableFeatures, type Row } from '@tanstack/react-table'
import { useI18n } from '~/i18n'
import { classOf, type Column } from './column'
import styles from './DataTable.module.css'

export const features = tableFeatures({ rowSelectionFeature })

interface BodyRowProps<T extends object> {
  row: Row<typeof features, T>
  index: number
  columns: readonly Column<T>[]
  selectable: boolean
  current: boolean
  onFocus: () => void
  onOpen?: (row: T) => void
}

export function BodyRow<T extends object>({
  row,
  index,
  columns,
  selectable,
  current,
  onFocus,
  onOpen,
}: BodyRowProps<T>) {
  const { t } = useI18n()
  return (
    <tr
      tabIndex={current ? 0 : -1}
      data-row={index}
      data-selected={row.getIsSelected() || undefined}
      aria-rowindex={index + 2}
      aria-selected={selectable ? row.getIsSelected() : undefined}
      onFocus={onFocus}
      onClick={(e) => {
        if (onOpen && !(e.target as HTMLElement).closest('a, button, input, label')) onOpen(row.original)
      }}
    >
      {selectable && (
        <td className={styles.check}>
          <Checkbox
            size="xs"
            aria-label={t('table.one', { id: row.id })}
            checked={row.getIsSelected()}
            onChange={row.getToggleSelectedHandler()}
            tabIndex={-1}
          />
        </td>
      )}
      {columns.map((c) => (
        <td key={c.id} className={classOf(c)}>
          {c.cell(row.original)}
        </td>
      ))}
    </tr>
  )
}
