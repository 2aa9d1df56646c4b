import type { JobSummary } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { Says, sayFailure, sayReason } from '~/shared/reasons'
import { JobLink } from '~/shared/names'
import { Duration, Instant, Since, latestStart } from '~/shared/time'

/** What is happening to a job, in half a line. */
export function Happening({ job, brief = false }: { job: JobSummary; brief?: boolean }) {
  if (job.endedAt) return <Ended job={job} />
  if (job.leaving) return <Leaving job={job} />
  switch (job.state) {
    case 'QUEUED':
    case 'HELD':
      return <Waiting job={job} />
    case 'STARTING':
      return <T k="happening.starting" />
    case 'RUNNING':
      return <Running job={job} brief={brief} />
    case 'CHECKPOINTING':
      return <T k="happening.saving" />
    default:
      return <T k="happening.stopping" />
  }
}

function Waiting({ job }: { job: JobSummary }) {
  const latest = latestStart(job)
  return (
    <>
      {job.headline ? <Says sentences={sayReason(job.headline).slice(0, 2)} /> : <T k="why.notYet" />}
      {job.expectedStart && (
        <>
          {' '}
          {latest ? (
            <T
              k="happening.aboutBy"
              v={{ at: <Instant at={job.expectedStart} />, by: <Instant at={latest} /> }}
            />
          ) : (
            <T k="happening.about" v={{ at: <Instant at={job.expectedStart} /> }} />
          )}
        </>
      )}
    </>
  )
}

/** In a list the end is worth more than the loss. */
function Running({ job, brief }: { job: JobSummary; brief: boolean }) {
  const { number } = useI18n()
  const p = job.progress
  if (job.hungSince) return <T k="happening.hung" v={{ time: <Since at={job.hungSince} /> }} />
  const parts = [
    p && (
      <T
        key="step"
        k={p.of == null ? 'happening.step' : 'happening.stepOf'}
        v={{ step: number(p.step), of: number(p.of ?? 0) }}
      />
    ),
    !brief && p?.loss != null && <T key="loss" k="happening.loss" v={{ loss: p.loss.toPrecision(3) }} />,
    job.expectedEnd && <T key="end" k="happening.ends" v={{ at: <Instant at={job.expectedEnd} /> }} />,
  ].filter(Boolean)
  if (parts.length === 0 && job.startedAt)
    return <T k="happening.since" v={{ time: <Since at={job.startedAt} /> }} />
  return parts.map((part, i) => (
    <span key={i}>
      {i > 0 && <T k="comma" />}
      {part}
    </span>
  ))
}

function Leaving({ job }: { job: JobSummary }) {
  const { leaving } = job
  if (!leaving) return null
  const to = leaving.beneficiary == null ? null : <JobLink id={leaving.beneficiary} />
  return (
    <>
      {leaving.beneficiary === job.id ? (
        <T k="happening.grows" />
      ) : to ? (
        <T k="happening.yields" v={{ job: to }} />
      ) : (
        <T k="happening.stops" />
      )}
      {leaving.saved ? (
        <>
          ; <T k="happening.saved" />
        </>
      ) : (
        leaving.deadline && (
          <>
            ; <T k="happening.left" v={{ time: <Since at={leaving.deadline} until /> }} />
          </>
        )
      )}
    </>
  )
}

function Ended({ job }: { job: JobSummary }) {
  const { t } = useI18n()
  if (!job.endedAt) return null
  const ended = new Date(job.endedAt).getTime()
  const ran = job.startedAt ? Math.max(0, (ended - new Date(job.startedAt).getTime()) / 1000) : null
  return (
    <>
      <T k="happening.ended" v={{ time: <Since at={job.endedAt} /> }} />
      {ran !== null && (
        <>
          <T k="comma" />
          <T k="happening.took" v={{ time: <Duration of={ran} /> }} />
        </>
      )}
      {job.headline?.failure && `: ${sayFailure(job.headline.failure, t)}`}
    </>
  )
}
