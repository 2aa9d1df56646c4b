import type { ShareView } from '~/api/types'
import { T, useI18n, type Translate } from '~/i18n'
import { ShareBar, commonScale } from '~/shared/share'
import { shareOf } from '~/shared/share/fromView'
import { useTeamColours } from '~/shared/teams'
import { asTree } from './order'
import styles from './Shares.module.css'

export function ShareRows({ rows }: { rows: readonly ShareView[] }) {
  const { t } = useI18n()
  const colour = useTeamColours()
  const shown = rows.filter(hasPart)
  const scale = commonScale(shown.map(shareOf))
  const hidden = rows.length - shown.length
  return (
    <div>
      {asTree(shown).map(({ row, depth }) => (
        <div key={row.team} className={styles.share} data-testid={`share-${row.team}`}>
          <bdi style={{ paddingInlineStart: depth * 14 }} title={row.team}>
            {row.team.split('/').at(-1)}
          </bdi>
          <ShareBar share={shareOf(row)} scale={scale} colour={colour(row.team)} />
          <div className="dim">{sayShare(row, t)}</div>
        </div>
      ))}
      {hidden > 0 && (
        <p className={`dimmer small ${styles.hidden}`}>
          <T k="shares.hidden" v={{ n: hidden }} />
        </p>
      )}
    </div>
  )
}

/** Teams that have no part in a pool would only make the others harder to find; the table has them all. */
function hasPart(row: ShareView): boolean {
  return row.entitlement + row.deserved + row.demand + row.allocated + row.guaranteed > 0
}

/** A share in half a sentence. */
export function sayShare(row: ShareView, t: Translate): string {
  const wanted = Math.max(0, row.demand - row.allocated)
  const first =
    row.demand <= row.allocated && row.borrowed === 0
      ? t('shares.say.all', { n: row.allocated })
      : t(row.allocated > row.deserved ? 'shares.say.over' : 'shares.say.of', {
          n: row.allocated,
          deserved: row.deserved,
        })
  return [
    first,
    row.borrowed > 0 && t('shares.say.borrowed', { n: row.borrowed }),
    wanted > 0 && t('shares.say.wanted', { n: wanted }),
    row.lent > 0 && t('shares.say.lent', { n: row.lent }),
  ]
    .filter(Boolean)
    .join(t('comma'))
}
