import { useQuery } from '@tanstack/react-query'
import { attemptsQuery } from '~/api/queries'
import type { AttemptView } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { Card } from '~/shared/layout'
import { JobLink } from '~/shared/names'
import { Instant, Since } from '~/shared/time'
import styles from './PreemptionStory.module.css'

/** Each time the job yielded: to whom, what was saved, what was lost, and how it came back. */
export function PreemptionStory({ id }: { id: string }) {
  const { t } = useI18n()
  const attempts = useQuery(attemptsQuery(id)).data ?? []
  const yielded = attempts.filter((a) => a.beneficiary != null || a.failure === 'PREEMPTED')
  if (yielded.length === 0) return null
  return (
    <Card title={t('story.title')}>
      <ol className={styles.story}>
        {yielded.slice(0, 5).map((attempt) => (
          <li key={attempt.number} data-testid="preemption">
            <One attempt={attempt} next={attempts.find((a) => a.number === attempt.number + 1)} />
          </li>
        ))}
      </ol>
    </Card>
  )
}

function One({ attempt, next }: { attempt: AttemptView; next: AttemptView | undefined }) {
  const { number } = useI18n()
  const to = attempt.beneficiary == null ? null : <JobLink id={attempt.beneficiary} />
  const at = attempt.signalAt ? <Instant at={attempt.signalAt} /> : null
  return (
    <>
      {to && at && <T k="story.asked" v={{ n: attempt.number, at, job: to }} />}
      {to && !at && <T k="story.gave" v={{ n: attempt.number, job: to }} />}
      {!to && <T k="story.yielded" v={{ n: attempt.number }} />} <Saved attempt={attempt} />{' '}
      {attempt.endedAt && attempt.lostGpuSeconds > 0 && (
        <T k="story.lost" v={{ hours: number(Math.round(attempt.lostGpuSeconds / 36) / 100) }} />
      )}{' '}
      {attempt.endedAt && !next && <T k="story.waits" />}
      {next && <Back next={next} />}
    </>
  )
}

function Saved({ attempt }: { attempt: AttemptView }) {
  const { number } = useI18n()
  const step = attempt.lastCheckpointStep
  if (attempt.savedAt && step != null) {
    return <T k="story.saved" v={{ step: number(step), at: <Instant at={attempt.savedAt} /> }} />
  }
  if (!attempt.endedAt && attempt.signalDeadline) {
    return <T k="story.saving" v={{ time: <Since at={attempt.signalDeadline} until /> }} />
  }
  return step == null ? <T k="story.notSaved" /> : <T k="story.lastStep" v={{ step: number(step) }} />
}

function Back({ next }: { next: AttemptView }) {
  const { number } = useI18n()
  const at = <Instant at={next.runningAt ?? next.placedAt} />
  return next.resumeStep == null ? (
    <T k="story.backFromStart" v={{ at }} />
  ) : (
    <T k="story.back" v={{ at, step: number(next.resumeStep) }} />
  )
}
