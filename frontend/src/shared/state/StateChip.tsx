import { useI18n } from '~/i18n'
import type { ReactNode } from 'react'
import { toneOf, type JobState } from './states'
import styles from './StateChip.module.css'

/** A job's state: a word and a colour, never colour alone. */
export function StateChip({ state, children }: { state: JobState; children?: ReactNode }) {
  const { t } = useI18n()
  return (
    <span className={styles.chip} data-tone={toneOf(state)} data-state={state}>
      {t(`state.${state}`)}
      {children && <span className={styles.more}>{children}</span>}
    </span>
  )
}
