import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { T, useI18n } from '~/i18n'
import { BulkDialog } from './BulkDialog'
import { BULK, type BulkAction } from './consequence'
import styles from './BulkBar.module.css'

export function BulkBar({ ids, onDone }: { ids: readonly number[]; onDone: () => void }) {
  const { t } = useI18n()
  const [action, setAction] = useState<BulkAction | null>(null)
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('bulk.selected', { n: ids.length })}>
      <T k="bulk.selected" v={{ n: ids.length }} />
      <Group gap={8}>
        {BULK.map((each) => (
          <Button key={each} size="xs" onClick={() => setAction(each)}>
            {t(`bulk.${each}`)}
          </Button>
        ))}
        <Button size="xs" variant="subtle" onClick={onDone}>
          {t('bulk.clear')}
        </Button>
      </Group>
      {action && (
        <BulkDialog
          action={action}
          ids={ids}
          onClose={(done) => {
            setAction(null)
            if (done) onDone()
          }}
        />
      )}
    </div>
  )
}
