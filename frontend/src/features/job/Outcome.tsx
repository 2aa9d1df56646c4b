import { Link } from '@tanstack/react-router'
import type { JobDetail } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { Happening } from '~/shared/job'
import { Card } from '~/shared/layout'
import { sayFailure } from '~/shared/reasons'
import styles from './Progress.module.css'

/** How a job ended; a failure says what failed and where to look. */
export function Outcome({ detail }: { detail: JobDetail }) {
  const { t } = useI18n()
  const { job, failure } = detail
  return (
    <Card title={t('outcome.title')}>
      <p className={styles.line}>
        <b>{t(`state.${job.state}`)}</b>, <Happening job={job} />
        {failure && <>: {sayFailure(failure.failure, t)}</>}
      </p>
      {failure && (
        <p className="dim">
          {failure.replica && (
            <T
              k="outcome.replica"
              v={{
                replica: (
                  <Link
                    to="/jobs/$id"
                    params={{ id: String(job.id) }}
                    search={{ tab: 'logs', replica: failure.replica }}
                  >
                    <bdi className="mono">{failure.replica}</bdi>
                  </Link>
                ),
              }}
            />
          )}
          {failure.replica && failure.exitCode != null && t('jobs.sum.and')}
          {failure.exitCode != null && <T k="outcome.exit" v={{ n: String(failure.exitCode) }} />}
        </p>
      )}
      {failure?.message && (
        <pre className={`mono ${styles.message}`} dir="ltr">
          {failure.message}
        </pre>
      )}
    </Card>
  )
}
