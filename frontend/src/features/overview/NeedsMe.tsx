import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useJobAction } from '~/api/actions'
import type { JobSummary, Notice } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { Card } from '~/shared/layout'
import { Says } from '~/shared/reasons'
import { sayNotice } from './notices'
import styles from './NeedsMe.module.css'

export function NeedsMe({ notices, mine }: { notices: readonly Notice[]; mine: readonly JobSummary[] }) {
  const { t } = useI18n()
  return (
    <Card title={t('overview.needsMe')}>
      {notices.length === 0 ? (
        <p className="dim">{t('overview.needsMe.none')}</p>
      ) : (
        <ul className={styles.list}>
          {notices.map((notice, i) => (
            <li key={`${notice.kind} ${notice.job ?? notice.node ?? i}`} data-kind={notice.kind}>
              <span>
                <Says sentences={sayNotice(notice, mine)} />
              </span>
              <Go notice={notice} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** What can be done about it, beside it. */
function Go({ notice }: { notice: Notice }) {
  if (notice.node != null) {
    return (
      <Link to="/cluster" search={{ node: notice.node }} className="nowrap">
        <T k="notice.map" />
      </Link>
    )
  }
  if (notice.job == null) return null
  if (notice.kind === 'held') return <Release job={notice.job} />
  if (notice.kind !== 'failed' && notice.kind !== 'hung') return null
  return (
    <Link to="/jobs/$id" params={{ id: String(notice.job) }} search={{ tab: 'logs' }} className="nowrap">
      <T k="notice.output" />
    </Link>
  )
}

function Release({ job }: { job: number }) {
  const act = useJobAction(job)
  return (
    <Button size="xs" loading={act.isPending} onClick={() => act.mutate({ do: 'release' })}>
      <T k="job.release" />
    </Button>
  )
}
