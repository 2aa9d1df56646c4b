import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useI18n } from '~/i18n'
import styles from './feedback.module.css'

/** Somebody else was quicker: what they saved, and the choice; nothing is overwritten unseen. */
export function Conflict({ children, onTake }: { children?: ReactNode; onTake: () => void }) {
  const { t } = useI18n()
  return (
    <div className={styles.conflict} role="alert">
      <h2>{t('problem.412')}</h2>
      {children}
      <Button size="xs" onClick={onTake}>
        {t('conflict.take')}
      </Button>
    </div>
  )
}
