import type { ReactNode } from 'react'
import styles from './feedback.module.css'

/** Nothing to show, and what to do next. */
export function Empty({
  title,
  children,
  action,
}: {
  title: ReactNode
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className={styles.empty}>
      <p className={styles.emptyTitle}>{title}</p>
      {children && <p className="dim">{children}</p>}
      {action && <div className={styles.emptyAction}>{action}</div>}
    </div>
  )
}
