import { Progress as Bar } from '@mantine/core'
import type { JobSummary } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { Fresh } from '~/shared/feedback'
import { Card } from '~/shared/layout'
import { Happening } from '~/shared/job'
import { Since } from '~/shared/time'
import styles from './Progress.module.css'

/** How far a job that runs has come. */
export function Progress({ job }: { job: JobSummary }) {
  const { t, number } = useI18n()
  const p = job.progress
  const percent = p?.of ? Math.min(100, (p.step / p.of) * 100) : null
  return (
    <Card title={t('progress.title')}>
      <p className={styles.line} data-testid="happening">
        <Happening job={job} />
      </p>
      {percent !== null && (
        <>
          <Bar
            value={percent}
            size="sm"
            aria-label={t('progress.title')}
            color="var(--run)"
            transitionDuration={600}
          />
          <div className={styles.row}>
            <Fresh of={t('progress.percent', { n: number(Math.round(percent * 10) / 10) })} />
            {p && (
              <span className="dimmer small">
                <T k="progress.reported" v={{ time: <Since at={p.at} /> }} />
              </span>
            )}
          </div>
        </>
      )}
    </Card>
  )
}
