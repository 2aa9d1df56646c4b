import type { JobSummary } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { Happening, JobState } from '~/shared/job'
import { JobLink } from '~/shared/names'
import { PlainTable } from '~/shared/table'

export function MyJobs({ jobs }: { jobs: readonly JobSummary[] }) {
  const { t, number } = useI18n()
  return (
    <PlainTable
      label={t('overview.mine')}
      columns={[
        { header: <T k="job.job" />, width: '26%' },
        { header: <T k="job.state" />, width: '1%' },
        { header: <T k="job.gpus" />, numeric: true, width: '1%' },
        { header: <T k="job.happening" />, narrow: false },
      ]}
      rows={jobs.map((job) => ({
        key: String(job.id),
        cells: [
          <span key="n">
            <span className="mono dimmer">{job.id}</span> <JobLink id={job.id} name={job.name} />
          </span>,
          <JobState key="s" job={job} />,
          number(job.gpus),
          <span key="h" className="dim">
            <Happening job={job} />
          </span>,
        ],
      }))}
    />
  )
}
