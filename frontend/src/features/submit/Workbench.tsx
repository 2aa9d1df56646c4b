import { SegmentedControl } from '@mantine/core'
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { asProblem } from '~/api/problem'
import { useI18n } from '~/i18n'
import { Card } from '~/shared/layout'
import { DocumentPane } from './DocumentPane'
import { Preview } from './Preview'
import { SubmitBar } from './SubmitBar'
import { locateFields, read, withField, type Path } from './document/document'
import { keepDraft } from './draft'
import { JobForm } from './form/JobForm'
import { usePreview } from './usePreview'
import { TEMPLATES } from './templates'
import styles from './Submit.module.css'

type View = 'form' | 'yaml'

/** Form and text side by side. The text is the one truth: the form reads it and writes into it. */
export function Workbench({ start }: { start: string }) {
  const { t } = useI18n()
  const [text, setText] = useState(start)
  const [view, setView] = useState<View>('form')
  const narrow = useMediaQuery('(width <= 900px)')
  const navigate = useNavigate()
  const change = useCallback((next: string) => {
    setText(next)
    keepDraft(next)
  }, [])
  const set = useCallback((path: Path, value: unknown) => {
    setText((old) => {
      const next = withField(old, path, value)
      keepDraft(next)
      return next
    })
  }, [])
  const doc = useMemo(() => read(text), [text])
  const [settled] = useDebouncedValue(text, 400)
  const preview = usePreview(settled)
  const refusals = preview.isError ? asProblem(preview.error).errors : null
  const findings = useMemo(() => {
    const current = settled === text && refusals ? locateFields(text, refusals) : []
    return [
      ...doc.findings,
      ...current.filter((f) => !doc.findings.some((own) => own.line === f.line && f.line > 0)),
    ]
  }, [doc, refusals, settled, text])
  return (
    <div className={styles.bench}>
      <div className={styles.left}>
        <div className={styles.tools}>
          <SegmentedControl
            size="xs"
            value=""
            data={TEMPLATES.map((each) => ({ value: each.id, label: t(each.name) }))}
            onChange={(template) => void navigate({ to: '/submit', search: { template } })}
            aria-label={t('submit.templates')}
          />
          {narrow && (
            <SegmentedControl
              size="xs"
              value={view}
              onChange={setView}
              data={[
                { value: 'form', label: t('submit.form') },
                { value: 'yaml', label: 'YAML' },
              ]}
            />
          )}
        </div>
        <div className={styles.panes}>
          {(!narrow || view === 'form') && (
            <Card title={t('submit.form')}>
              <JobForm doc={doc} findings={findings} set={set} />
            </Card>
          )}
          {(!narrow || view === 'yaml') && (
            <Card title="YAML">
              <DocumentPane text={text} findings={findings} onChange={change} />
            </Card>
          )}
        </div>
      </div>
      <aside className={styles.side}>
        <Preview preview={preview} stale={settled !== text} doc={doc} />
        <SubmitBar text={text} fit={doc.readable && findings.length === 0} />
      </aside>
    </div>
  )
}
