import { useMemo } from 'react'
import type { JobSummary } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { Happening, JobState } from '~/shared/job'
import { JobLink, TeamName, sayShape } from '~/shared/names'
import type { Column } from '~/shared/table'
import { Instant } from '~/shared/time'

export function useJobColumns(): Column<JobSummary>[] {
  const { number } = useI18n()
  return useMemo(
    () => [
      {
        id: 'job',
        header: <T k="job.job" />,
        width: '17%',
        cell: (job) => (
          <>
            {job.name != null && <span className="mono dimmer">{job.id} </span>}
            <JobLink id={job.id} name={job.name} />
          </>
        ),
      },
      { id: 'state', header: <T k="job.state" />, width: '104px', cell: (job) => <JobState job={job} /> },
      {
        id: 'gpus',
        header: <T k="job.gpus" />,
        width: '74px',
        numeric: true,
        cell: (job) => <span title={sayShape(job.shape)}>{number(job.gpus)}</span>,
      },
      {
        id: 'team',
        header: <T k="job.team" />,
        width: '12%',
        narrow: false,
        cell: (job) => <TeamName path={job.team} />,
      },
      {
        id: 'happening',
        header: <T k="job.happening" />,
        narrow: false,
        cell: (job) => (
          <span className="dim" title={job.headline?.sentence}>
            <Happening job={job} brief />
          </span>
        ),
      },
      {
        id: 'user',
        header: <T k="job.user" />,
        width: '72px',
        narrow: false,
        cell: (job) => <bdi className="dim">{job.submittedBy}</bdi>,
      },
      {
        id: 'priority',
        header: <T k="job.priority" />,
        width: '84px',
        narrow: false,
        cell: (job) => <span className="dim">{job.priority}</span>,
      },
      {
        id: 'submitted',
        header: <T k="job.submitted" />,
        width: '84px',
        numeric: true,
        narrow: false,
        cell: (job) => (
          <span className="dim">
            <Instant at={job.submittedAt} />
          </span>
        ),
      },
    ],
    [number],
  )
}
