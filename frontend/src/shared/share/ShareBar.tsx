import { useI18n } from '~/i18n'
import { colourVar } from '~/shared/gpu'
import { shareGeometry, type Share } from './geometry'
import styles from './ShareBar.module.css'

/** A share as one bar: in use, borrowed (hatched), still wanted (thin), deserved (line), entitlement (tick). */
export function ShareBar({ share, scale, colour }: { share: Share; scale: number; colour: number }) {
  const { t } = useI18n()
  const g = shareGeometry(share, scale)
  return (
    <div
      role="img"
      aria-label={t('share.aria', { ...share })}
      className={styles.bar}
      style={{ color: colourVar(colour) }}
    >
      <div
        className={styles.own}
        style={{ inlineSize: `${g.own}%` }}
        data-alone={g.borrowed ? undefined : true}
      />
      {g.borrowed && (
        <div
          className={styles.borrowed}
          style={{ insetInlineStart: `${g.borrowed.start}%`, inlineSize: `${g.borrowed.width}%` }}
        />
      )}
      {g.wanted && (
        <div
          className={styles.wanted}
          style={{ insetInlineStart: `${g.wanted.start}%`, inlineSize: `${g.wanted.width}%` }}
        />
      )}
      <div className={styles.deserved} style={{ insetInlineStart: `${g.deserved}%` }} />
      <div className={styles.entitlement} style={{ insetInlineStart: `${g.entitlement}%` }} />
    </div>
  )
}
