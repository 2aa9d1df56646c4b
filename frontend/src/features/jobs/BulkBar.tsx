import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import type { JobSummary } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { BulkDialog, type BulkAction } from './BulkDialog'
import styles from './BulkBar.module.css'

const ACTIONS: BulkAction[] = ['hold', 'release', 'cancel']

export function BulkBar({ jobs, onDone }: { jobs: readonly JobSummary[]; onDone: () => void }) {
  const { t } = useI18n()
  const [action, setAction] = useState<BulkAction | null>(null)
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('bulk.selected', { n: jobs.length })}>
      <T k="bulk.selected" v={{ n: jobs.length }} />
      <Group gap={8}>
        {ACTIONS.map((each) => (
          <Button key={each} size="xs" onClick={() => setAction(each)}>
            {t(`job.${each}`)}
          </Button>
        ))}
        <Button size="xs" variant="subtle" onClick={onDone}>
          {t('bulk.clear')}
        </Button>
      </Group>
      {action && (
        <BulkDialog
          action={action}
          ids={jobs.map((job) => job.id)}
          onClose={(done) => {
            setAction(null)
            if (done) onDone()
          }}
        />
      )}
    </div>
  )
}
