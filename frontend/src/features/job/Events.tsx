import { useQuery } from '@tanstack/react-query'
import { jobEventsQuery } from '~/api/queries'
import type { JobEventView } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { Empty, QueryView } from '~/shared/feedback'
import { Card } from '~/shared/layout'
import { StateChip, type JobState } from '~/shared/state'
import { DataTable, type Column } from '~/shared/table'
import { Instant } from '~/shared/time'
import { useMemo } from 'react'
import { sayEvent } from './sayEvent'

/** All that happened to a job, newest first. */
export function Events({ id }: { id: string }) {
  const { t } = useI18n()
  const query = useQuery(jobEventsQuery(id))
  const columns = useMemo<Column<JobEventView>[]>(
    () => [
      { id: 'at', header: <T k="events.at" />, width: '130px', cell: (e) => <Instant at={e.at} seconds /> },
      {
        id: 'state',
        header: <T k="job.state" />,
        width: '120px',
        narrow: false,
        cell: (e) => e.to && e.kind === 'state' && <StateChip state={e.to as JobState} />,
      },
      {
        id: 'what',
        header: <T k="events.what" />,
        cell: (e) => <span title={sayEvent(e, t)}>{sayEvent(e, t)}</span>,
      },
      {
        id: 'attempt',
        header: <T k="events.attempt" />,
        width: '80px',
        numeric: true,
        narrow: false,
        cell: (e) => e.attempt || '',
      },
      {
        id: 'by',
        header: <T k="events.by" />,
        width: '120px',
        narrow: false,
        cell: (e) => <bdi className="dim">{e.actor ?? t('events.system')}</bdi>,
      },
    ],
    [t],
  )
  return (
    <Card flush>
      <QueryView query={query}>
        {(events) =>
          events.length === 0 ? (
            <Empty title={t('events.none')} />
          ) : (
            <DataTable
              label={t('job.tab.events')}
              rows={[...events].reverse()}
              columns={columns}
              idOf={(e) => String(e.id)}
            />
          )
        }
      </QueryView>
    </Card>
  )
}
