export { DataTable } from './DataTable'
export type { Column } from './column'
export { PlainTable } from './PlainTable'
export type { RowSelectionState } from '@tanstack/react-table'
