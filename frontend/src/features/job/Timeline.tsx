import { useQuery } from '@tanstack/react-query'
import { jobEventsQuery } from '~/api/queries'
import type { JobSummary } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { Card } from '~/shared/layout'
import { toneOf } from '~/shared/state'
import { Instant } from '~/shared/time'
import { timeline } from './timeline'
import styles from './Timeline.module.css'

export function Timeline({ id, job, mine }: { id: string; job: JobSummary; mine: boolean }) {
  const { t } = useI18n()
  const events = useQuery({ ...jobEventsQuery(id), enabled: mine }).data ?? null
  const { steps, earlier } = timeline(job, events)
  return (
    <Card
      title={t('timeline.title')}
      aside={
        earlier > 0 && (
          <span className="dimmer small">
            <T k="timeline.earlier" v={{ n: earlier }} />
          </span>
        )
      }
    >
      <ol className={styles.line}>
        {steps.map((step, i) => (
          <li
            key={i}
            data-when={step.when}
            data-tone={step.state === 'SUBMITTED' ? 'run' : toneOf(step.state)}
            aria-current={step.when === 'now' ? 'step' : undefined}
          >
            {t(step.state === 'SUBMITTED' ? 'timeline.SUBMITTED' : `state.${step.state}`)}
            <br />
            {step.at && <Instant at={step.at} seconds />}
          </li>
        ))}
      </ol>
    </Card>
  )
}
