import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { sharesQuery } from '~/api/queries'
import { T, useI18n } from '~/i18n'
import { Card, Facts } from '~/shared/layout'
import { ShareBar, commonScale } from '~/shared/share'
import { shareOf } from '~/shared/share/fromView'
import { useTeamColours } from '~/shared/teams'
import { Instant } from '~/shared/time'
import styles from './TeamShare.module.css'

/** The share of the job's team, in the pool that matters to the job. */
export function TeamShare({ team, pool }: { team: string; pool: string | null }) {
  const { t, number } = useI18n()
  const rows = useQuery(sharesQuery()).data?.filter(
    (row) => row.team === team && (!pool || row.pool === pool),
  )
  const row = rows?.[0]
  const colour = useTeamColours()
  if (!row) return null
  const share = shareOf(row)
  return (
    <Card
      title={t('teamShare.title')}
      aside={
        <Link to="/shares" search={{ pool: row.pool }} className="small">
          {t('nav.shares')}
        </Link>
      }
    >
      <div className={styles.bar}>
        <ShareBar share={share} scale={commonScale([share])} colour={colour(team)} />
      </div>
      <Facts
        rows={[
          [<T key="k" k="teamShare.deserved" />, `${number(row.deserved)} ${row.pool}`],
          [<T key="k" k="teamShare.inUse" />, number(row.allocated)],
          row.borrowed > 0 && [<T key="k" k="teamShare.borrowed" />, number(row.borrowed)],
          row.lent > 0 && [<T key="k" k="teamShare.lent" />, number(row.lent)],
          [<T key="k" k="teamShare.wanted" />, number(share.wanted)],
        ]}
      />
      <p className={`dimmer small ${styles.asOf}`}>
        <T k="counted" v={{ at: <Instant at={row.asOf} seconds /> }} />
      </p>
    </Card>
  )
}
