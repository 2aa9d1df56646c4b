import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Loading } from './Loading'
import { ProblemPanel } from './ProblemPanel'

/** The three states of a query in one place. Old data stays on screen while a refetch fails; the live indicator tells that. */
export function QueryView<T>({
  query,
  children,
  lines,
}: {
  query: UseQueryResult<T>
  children: (data: T) => ReactNode
  lines?: number
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <ProblemPanel error={query.error} retry={() => void query.refetch()} />
  return <Loading lines={lines} />
}
