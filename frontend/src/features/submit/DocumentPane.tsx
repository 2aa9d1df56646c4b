import { Suspense, lazy, useMemo } from 'react'
import { useI18n, type Translate } from '~/i18n'
import { Loading } from '~/shared/feedback'
import type { Finding } from './document/document'
import styles from './Submit.module.css'

const YamlEditor = lazy(() => import('~/shared/editor/YamlEditor'))

export function DocumentPane({
  text,
  findings,
  onChange,
}: {
  text: string
  findings: readonly Finding[]
  onChange: (text: string) => void
}) {
  const { t } = useI18n()
  const marks = useMemo(
    () =>
      findings.filter((f) => f.line > 0).map((f) => ({ from: f.from, to: f.to, message: sayFinding(f, t) })),
    [findings, t],
  )
  return (
    <>
      <div className={styles.editor}>
        <Suspense fallback={<Loading lines={8} />}>
          <YamlEditor label={t('submit.yaml')} text={text} marks={marks} onChange={onChange} />
        </Suspense>
      </div>
      {findings.length > 0 && (
        <ul className={styles.findings} aria-live="polite">
          {findings.slice(0, 8).map((f, i) => (
            <li key={i}>
              {f.line > 0 && <span className="mono">{t('submit.line', { n: f.line })}</span>}{' '}
              {sayFinding(f, t)}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

export function sayFinding(f: Finding, t: Translate): string {
  const what = f.said ?? t(f.message)
  return f.path.length > 0 ? `${f.path.join('.')}: ${what}` : what
}
