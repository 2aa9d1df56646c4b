export { DataTable, type Column } from './DataTable'
export { PlainTable } from './PlainTable'
export type { RowSelectionState } from '@tanstack/react-table'
