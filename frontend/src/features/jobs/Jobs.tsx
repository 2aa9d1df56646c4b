import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { jobsQuery, type JobFilter } from '~/api/queries'
import type { JobSummary } from '~/api/types'
import { useI18n } from '~/i18n'
import { Empty, Loading, ProblemPanel } from '~/shared/feedback'
import { Card, LinkButton, PageHead } from '~/shared/layout'
import { DataTable, type RowSelectionState } from '~/shared/table'
import { BulkBar } from './BulkBar'
import { Filters } from './Filters'
import { useJobColumns } from './columns'

const NOBODY: RowSelectionState = {}

export function Jobs() {
  const { t } = useI18n()
  const filter = useSearch({ from: '/frame/jobs' })
  const navigate = useNavigate()
  const query = useInfiniteQuery(jobsQuery(filter))
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data])
  const [selected, setSelected] = useState<RowSelectionState>(NOBODY)
  const chosen = useMemo(() => rows.filter((job) => selected[job.id]), [rows, selected])
  const columns = useJobColumns()
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  const change = (next: JobFilter) => {
    setSelected(NOBODY)
    void navigate({ to: '/jobs', search: next, replace: true })
  }
  return (
    <>
      <PageHead
        title={t('nav.jobs')}
        facts={query.data ? [t(hasNextPage ? 'jobs.loadedMore' : 'jobs.loaded', { n: rows.length })] : []}
        actions={
          <LinkButton to="/submit" variant="filled">
            {t('nav.submit')}
          </LinkButton>
        }
      />
      <Filters filter={filter} onChange={change} />
      <Card flush>
        {chosen.length > 0 && <BulkBar jobs={chosen} onDone={() => setSelected(NOBODY)} />}
        {query.isError && <ProblemPanel error={query.error} retry={() => void query.refetch()} />}
        {query.isPending && <Loading lines={10} />}
        {query.data && rows.length === 0 && <NoJobs filtered={Object.keys(filter).length > 0} />}
        {rows.length > 0 && (
          <DataTable<JobSummary>
            label={t('nav.jobs')}
            rows={rows}
            columns={columns}
            idOf={(job) => String(job.id)}
            onOpen={(job) => void navigate({ to: '/jobs/$id', params: { id: String(job.id) } })}
            selected={selected}
            onSelect={setSelected}
            total={hasNextPage ? -1 : rows.length}
            onEnd={more}
            foot={isFetchingNextPage ? <Loading lines={2} /> : null}
          />
        )}
      </Card>
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
