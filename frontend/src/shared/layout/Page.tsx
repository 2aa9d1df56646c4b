import { useEffect, type ReactNode } from 'react'
import styles from './layout.module.css'

/** Head of a screen: its name, a line of facts, and what can be done. */
export function PageHead({
  title,
  chip,
  facts = [],
  actions,
  documentTitle,
}: {
  title: ReactNode
  chip?: ReactNode
  facts?: readonly ReactNode[]
  actions?: ReactNode
  documentTitle?: string
}) {
  const named = documentTitle ?? (typeof title === 'string' ? title : undefined)
  useEffect(() => {
    if (named) document.title = `${named} · Muster`
  }, [named])
  return (
    <div className={styles.head}>
      <div className={styles.grow}>
        <div className={styles.titleRow}>
          <h1 tabIndex={-1}>{title}</h1>
          {chip}
        </div>
        {facts.length > 0 && (
          <div className={styles.facts}>
            {facts.map((fact, i) => (
              <span key={i}>{fact}</span>
            ))}
          </div>
        )}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}

/** Main column and a narrow one beside it; under each other on small screens. */
export function Columns({ children, side }: { children: ReactNode; side?: ReactNode }) {
  return (
    <div className={styles.columns}>
      <div className={styles.main}>{children}</div>
      {side && <div className={styles.side}>{side}</div>}
    </div>
  )
}

export function Facts({
  rows,
}: {
  rows: readonly (readonly [ReactNode, ReactNode] | null | undefined | false)[]
}) {
  return (
    <dl className={styles.kv}>
      {rows
        .filter((row) => !!row)
        .map(([name, value], i) => (
          <div key={i}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
