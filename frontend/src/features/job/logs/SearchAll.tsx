import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { get } from '~/api/client'
import type { LogPage } from '~/api/types'
import { useI18n } from '~/i18n'
import { Empty, ProblemPanel } from '~/shared/feedback'
import { LogLines } from './LogLines'
import styles from './Logs.module.css'

/** Searches all stored output, for lines that are older than what is loaded. */
export function SearchAll({
  job,
  attempt,
  replica,
  q,
}: {
  job: number
  attempt: number
  replica?: string
  q: string
}) {
  const { t } = useI18n()
  const [asked, setAsked] = useState<string | null>(null)
  const query = useInfiniteQuery({
    queryKey: ['jobs', 'one', String(job), 'logs', attempt, replica ?? '', asked],
    queryFn: ({ pageParam, signal }) =>
      get<LogPage>(
        `/jobs/${job}/logs`,
        { attempt, replica, q: asked ?? '', cursor: pageParam, limit: 500 },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => (last.lines.length > 0 ? (last.next ?? undefined) : undefined),
    enabled: asked !== null,
    staleTime: Infinity,
  })
  const lines = query.data?.pages.flatMap((page) => page.lines) ?? []
  return (
    <div className={styles.all}>
      {asked !== q && <Button onClick={() => setAsked(q)}>{t('logs.searchAll')}</Button>}
      {asked === q && query.isError && <ProblemPanel error={query.error} />}
      {asked === q && query.isSuccess && lines.length === 0 && <Empty title={t('logs.notFound')} />}
      {asked === q && lines.length > 0 && (
        <>
          <LogLines
            lines={lines}
            q={q}
            follow={false}
            onFollow={() => undefined}
            named={replica === undefined}
          />
          {query.hasNextPage && (
            <Button onClick={() => void query.fetchNextPage()} loading={query.isFetchingNextPage}>
              {t('more')}
            </Button>
          )}
        </>
      )}
    </div>
  )
}
