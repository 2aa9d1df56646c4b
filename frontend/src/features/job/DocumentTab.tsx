import { Button, SegmentedControl } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { useState } from 'react'
import { stringify } from 'yaml'
import type { JobDetail } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { Card } from '~/shared/layout'
import styles from './DocumentTab.module.css'

/** The document as written, and with the team's defaults filled in. */
export function DocumentTab({ detail }: { detail: JobDetail }) {
  const { t } = useI18n()
  const [which, setWhich] = useState<'written' | 'effective'>('written')
  const clipboard = useClipboard()
  const text = which === 'written' ? (detail.yaml ?? stringify(detail.document)) : stringify(detail.effective)
  return (
    <Card
      title={
        <SegmentedControl
          size="xs"
          value={which}
          onChange={setWhich}
          data={[
            { value: 'written', label: t('document.written') },
            { value: 'effective', label: t('document.effective') },
          ]}
        />
      }
      aside={
        <Button size="xs" onClick={() => clipboard.copy(text)}>
          {t(clipboard.copied ? 'copied' : 'copy')}
        </Button>
      }
    >
      <pre className={styles.code} dir="ltr" tabIndex={0}>
        {text}
      </pre>
      {detail.revision != null && detail.revision > 1 && (
        <p className="dimmer small">
          <T k="document.revision" v={{ n: detail.revision }} />
        </p>
      )}
    </Card>
  )
}
