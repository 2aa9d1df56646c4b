import { Link } from '@tanstack/react-router'
import type { Notice } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { Card } from '~/shared/layout'
import styles from './NeedsMe.module.css'

export function NeedsMe({ notices }: { notices: readonly Notice[] }) {
  const { t } = useI18n()
  return (
    <Card title={t('overview.needsMe')}>
      {notices.length === 0 ? (
        <p className="dim">{t('overview.needsMe.none')}</p>
      ) : (
        <ul className={styles.list}>
          {notices.map((notice, i) => (
            <li key={`${notice.kind} ${notice.job ?? notice.node ?? i}`} data-kind={notice.kind}>
              <span>{notice.sentence}</span>
              <Go notice={notice} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function Go({ notice }: { notice: Notice }) {
  if (notice.job != null) {
    return (
      <Link to="/jobs/$id" params={{ id: String(notice.job) }} className="nowrap">
        <T k="overview.needsMe.job" v={{ id: String(notice.job) }} />
      </Link>
    )
  }
  if (notice.node != null) {
    return (
      <Link to="/cluster" search={{ node: notice.node }} className="nowrap mono">
        {notice.node}
      </Link>
    )
  }
  return null
}
