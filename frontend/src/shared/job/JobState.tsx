import type { JobSummary } from '~/api/types'
import { useI18n } from '~/i18n'
import { StateChip } from '~/shared/state'
import { Since } from '~/shared/time'

/** The chip of a job: a job that yields is shown as what it does. */
export function JobState({ job, ticking = false }: { job: JobSummary; ticking?: boolean }) {
  const { t } = useI18n()
  const since = job.state === 'QUEUED' ? job.waitingSince : job.state === 'RUNNING' ? job.startedAt : null
  return (
    <span title={job.after ? t('state.then', { next: t(`state.${job.after as 'QUEUED'}`) }) : undefined}>
      <StateChip state={job.state}>{ticking && since && <Since at={since} />}</StateChip>
    </span>
  )
}
