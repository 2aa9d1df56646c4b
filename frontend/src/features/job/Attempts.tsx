import { useQuery } from '@tanstack/react-query'
import { attemptsQuery } from '~/api/queries'
import type { AttemptView } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { Card } from '~/shared/layout'
import { sayFailure } from '~/shared/reasons'
import { Duration, Instant, useNow } from '~/shared/time'
import { lanes, type Lane } from './gantt'
import styles from './Attempts.module.css'

export function Attempts({ id }: { id: string }) {
  const { t } = useI18n()
  const now = useNow()
  const attempts = useQuery(attemptsQuery(id)).data
  if (!attempts || attempts.length === 0) return null
  const { lanes: rows, start, end } = lanes(attempts, now)
  return (
    <Card
      title={t('attempts.title')}
      aside={
        <span className={`dimmer small ${styles.legend}`}>
          <i data-phase="starting" /> <T k="attempts.starting" />
          <i data-phase="running" /> <T k="attempts.running" />
          <i data-phase="saving" /> <T k="attempts.saving" />
        </span>
      }
    >
      <ol className={styles.rows}>
        {rows.map((lane) => (
          <Row key={lane.attempt.number} lane={lane} start={start} end={end} now={now} />
        ))}
      </ol>
      <div className={`dimmer small ${styles.axis}`}>
        <Instant at={new Date(start).toISOString()} seconds />
        <Instant at={new Date(end).toISOString()} seconds />
      </div>
    </Card>
  )
}

function Row({ lane, start, end, now }: { lane: Lane; start: number; end: number; now: number }) {
  const { attempt } = lane
  const at = (ms: number) => ((ms - start) / (end - start)) * 100
  const until = attempt.endedAt ? new Date(attempt.endedAt).getTime() : now
  return (
    <li className={styles.row}>
      <span className="dim nowrap">
        <T k="attempts.one" v={{ n: attempt.number }} />
      </span>
      <span className={styles.track}>
        {lane.segments.map((s) => (
          <i
            key={s.phase}
            data-phase={s.phase}
            style={{ insetInlineStart: `${at(s.from)}%`, inlineSize: `max(2px, ${at(s.to) - at(s.from)}%)` }}
          />
        ))}
      </span>
      <span className="dim small">
        <Duration of={Math.max(0, (until - new Date(attempt.placedAt).getTime()) / 1000)} />
        <T k="comma" />
        <End attempt={attempt} />
      </span>
    </li>
  )
}

function End({ attempt }: { attempt: AttemptView }) {
  const { t } = useI18n()
  if (!attempt.endedAt) return <T k="attempts.goesOn" />
  return attempt.failure ? sayFailure(attempt.failure, t) : <T k="attempts.ended" />
}
