import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { jobsQuery, type JobFilter } from '~/api/queries'
import type { JobSummary } from '~/api/types'
import { useI18n } from '~/i18n'
import { Empty, Loading, ProblemPanel } from '~/shared/feedback'
import { DataTable, type RowSelectionState } from '~/shared/table'
import { useJobColumns } from './columns'
import type { Picked } from './picked'

/** The jobs of a filter, page after page as one scrolls. */
export function JobsTable({
  filter,
  inner,
  label,
  picked,
  onPick,
  short = false,
}: {
  filter: JobFilter
  inner?: boolean
  label: string
  picked: Picked
  onPick: (rows: readonly JobSummary[], chosen: RowSelectionState) => void
  short?: boolean
}) {
  const navigate = useNavigate()
  const query = useInfiniteQuery(jobsQuery(filter, inner))
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data])
  const selected = useMemo(
    () => Object.fromEntries(rows.filter((job) => picked.has(job.id)).map((job) => [job.id, true as const])),
    [rows, picked],
  )
  const columns = useJobColumns()
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  if (query.isPending) return <Loading lines={short ? 3 : 10} />
  return (
    <>
      {query.isError && <ProblemPanel error={query.error} retry={() => void query.refetch()} />}
      {query.data && rows.length === 0 && <NoJobs filtered={Object.keys(filter).length > 0} />}
      {rows.length > 0 && (
        <DataTable<JobSummary>
          label={label}
          rows={rows}
          columns={columns}
          idOf={(job) => String(job.id)}
          onOpen={(job) => void navigate({ to: '/jobs/$id', params: { id: String(job.id) } })}
          selected={selected}
          onSelect={(chosen) => onPick(rows, chosen)}
          total={hasNextPage ? -1 : rows.length}
          onEnd={more}
          foot={isFetchingNextPage ? <Loading lines={2} /> : null}
          short={short}
        />
      )}
    </>
  )
}

function NoJobs({ filtered }: { filtered: boolean }) {
  const { t } = useI18n()
  return (
    <Empty
      title={t(filtered ? 'jobs.none' : 'jobs.none.all')}
      action={
        filtered ? (
          <Link to="/jobs" search={{}}>
            {t('jobs.filter.clear')}
          </Link>
        ) : (
          <Link to="/submit">{t('overview.mine.submit')}</Link>
        )
      }
    >
      {t('jobs.none.next')}
    </Empty>
  )
}
