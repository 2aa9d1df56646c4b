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
            <One
              attempt={attempt}
              own={attempt.beneficiary === Number(id)}
              next={attempts.find((a) => a.number === attempt.number + 1)}
            />
          </li>
        ))}
      </ol>
    </Card>
  )
}

/** `own`: it was asked for its own sake, to grow. */
function One({ attempt, own, next }: { attempt: AttemptView; own: boolean; next: AttemptView | undefined }) {
  const { number } = useI18n()
  const to = own || attempt.beneficiary == null ? null : <JobLink id={attempt.beneficiary} />
  const at = attempt.signalAt ? <Instant at={attempt.signalAt} /> : null
  return (
    <>
      {own && <T k="story.grows" v={{ n: attempt.number, at: at ?? <Instant at={attempt.placedAt} /> }} />}
      {to && at && <T k="story.asked" v={{ n: attempt.number, at, job: to }} />}
      {to && !at && <T k="story.gave" v={{ n: attempt.number, job: to }} />}
      {!to && !own && <T k="story.yielded" v={{ n: attempt.number }} />} <Saved attempt={attempt} />{' '}
      {attempt.endedAt && attempt.lostGpuSeconds > 0 && (
        <T k="story.lost" v={{ hours: number(Math.round(attempt.lostGpuSeconds / 36) / 100) }} />
      )}{' '}
      {attempt.endedAt && !next && <T k="story.waits" />}
      {next && <Back next={next} />}{' '}
      {next && next.replicas.length !== attempt.replicas.length && (
        <T
          k="story.size"
          v={{ now: number(next.replicas.length), before: number(attempt.replicas.length) }}
        />
      )}
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
