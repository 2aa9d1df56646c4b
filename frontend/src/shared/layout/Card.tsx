import { useId, type ReactNode } from 'react'
import styles from './layout.module.css'

export function Card({
  title,
  aside,
  children,
  flush = false,
}: {
  title?: ReactNode
  aside?: ReactNode
  children: ReactNode
  flush?: boolean
}) {
  const id = useId()
  return (
    <section className={styles.card} aria-labelledby={title ? id : undefined} data-flush={flush || undefined}>
      {title && (
        <header className={styles.cardHead}>
          <h2 id={id}>{title}</h2>
          {aside}
        </header>
      )}
      {children}
    </section>
  )
}
