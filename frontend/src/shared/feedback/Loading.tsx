import { useI18n } from '~/i18n'
import styles from './feedback.module.css'

/** Grey lines where text will be; they appear only when loading takes long enough to notice. */
export function Loading({ lines = 3 }: { lines?: number }) {
  const { t } = useI18n()
  return (
    <div className={styles.loading} role="status" aria-label={t('loading')}>
      {Array.from({ length: lines }, (_, i) => (
        <span key={i} className={styles.bone} style={{ inlineSize: `${[92, 74, 83, 61][i % 4]}%` }} />
      ))}
    </div>
  )
}
