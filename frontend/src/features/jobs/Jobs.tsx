import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { groupsQuery, type JobFilter, type JobView } from '~/api/queries'
import type { JobGroup, JobSummary } from '~/api/types'
import { useI18n, type Translate } from '~/i18n'
import { Card, LinkButton, PageHead } from '~/shared/layout'
import type { RowSelectionState } from '~/shared/table'
import { BulkBar } from './BulkBar'
import { Filters } from './Filters'
import { Groups } from './Groups'
import { JobsTable } from './JobsTable'
import { Views } from './Views'
import { NONE, pick, type Picked } from './picked'

export function Jobs() {
  const { t } = useI18n()
  const view = useSearch({ from: '/frame/jobs' })
  const { group, open = [], ...filter } = view
  const navigate = useNavigate()
  const sums = useQuery(groupsQuery(filter, 'state')).data
  const [picked, setPicked] = useState<Picked>(NONE)
  const onPick = useCallback(
    (rows: readonly JobSummary[], chosen: RowSelectionState) => setPicked((old) => pick(old, rows, chosen)),
    [],
  )
  const go = (next: JobView) => void navigate({ to: '/jobs', search: next, replace: true })
  const change = (next: JobFilter) => {
    setPicked(NONE)
    go({ ...next, group, open: group ? open : undefined })
  }
  return (
    <>
      <PageHead
        title={t('nav.jobs')}
        facts={sums ? [saySums(sums, t)] : []}
        actions={
          <>
            <Views view={view} onOpen={go} />
            <LinkButton to="/submit" variant="filled">
              {t('nav.submit')}
            </LinkButton>
          </>
        }
      />
      <Filters
        filter={filter}
        group={group}
        onChange={change}
        onGroup={(next) => go({ ...filter, group: next })}
      />
      <Card flush>
        {picked.size > 0 && <BulkBar ids={[...picked]} onDone={() => setPicked(NONE)} />}
        {group ? (
          <Groups
            filter={filter}
            by={group}
            open={open}
            onOpen={(next) => go({ ...view, open: next.length > 0 ? next : undefined })}
            picked={picked}
            onPick={onPick}
          />
        ) : (
          <JobsTable filter={filter} label={t('nav.jobs')} picked={picked} onPick={onPick} />
        )}
      </Card>
    </>
  )
}

/** All that match, also those that are not loaded. */
function saySums(groups: readonly JobGroup[], t: Translate): string {
  const sum = (of: (g: JobGroup) => number) => groups.reduce((n, g) => n + of(g), 0)
  const active = sum((g) => g.active)
  const waiting = sum((g) => g.waiting)
  const ended = sum((g) => g.jobs) - active - waiting
  return [
    t('overview.jobs', { n: sum((g) => g.jobs) }),
    active > 0 && t('jobs.sum.active', { n: active, gpus: t('gpus', { n: sum((g) => g.gpusInUse) }) }),
    waiting > 0 && t('jobs.sum.waiting', { n: waiting, gpus: t('gpus', { n: sum((g) => g.gpusWanted) }) }),
    ended > 0 && t('jobs.sum.ended', { n: ended }),
  ]
    .filter(Boolean)
    .join(t('jobs.sum.and'))
}
