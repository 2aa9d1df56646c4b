import { Link } from '@tanstack/react-router'
import type { OverviewView, PoolView } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { Fresh } from '~/shared/feedback'
import { bySize } from '~/shared/pools'
import { sayDuration } from '~/shared/time'
import styles from './Tiles.module.css'

export function Tiles({ overview }: { overview: OverviewView }) {
  const { t, number } = useI18n()
  const wait = overview.medianWaitSeconds
  return (
    <div className={styles.tiles}>
      {bySize(overview.pools).map((pool) => (
        <PoolTile key={pool.id} pool={pool} />
      ))}
      <Link to="/jobs" search={{ state: ['waiting'] }} className={styles.tile} data-testid="tile-waiting">
        <span className={styles.label}>
          <T k="overview.waiting" />
        </span>
        <span className={styles.value}>
          <Fresh of={t('overview.jobs', { n: overview.waitingJobs })} />
        </span>
        <span className={styles.label}>
          <T k="overview.wanted" v={{ n: overview.waitingGpus }} />
        </span>
      </Link>
      <div className={styles.tile}>
        <span className={styles.label}>
          <T k="overview.wait" />
        </span>
        <span className={styles.value}>
          {wait == null ? <T k="overview.wait.none" /> : <Fresh of={sayDuration(wait, t)} />}
        </span>
        <span className={styles.label}>
          {overview.p95WaitSeconds == null ? (
            <T k="overview.running" v={{ n: overview.runningJobs }} />
          ) : (
            <T k="overview.wait.p95" v={{ time: sayDuration(overview.p95WaitSeconds, t), n: number(95) }} />
          )}
        </span>
      </div>
    </div>
  )
}

function PoolTile({ pool }: { pool: PoolView }) {
  const { t, number } = useI18n()
  const used = pool.busy + pool.foreign
  const percent = pool.total === 0 ? 0 : Math.round((used / pool.total) * 100)
  const share = (n: number) => `${pool.total === 0 ? 0 : (n / pool.total) * 100}%`
  const closed = pool.unavailable + pool.broken
  return (
    <Link to="/cluster" search={{ pool: pool.id }} className={styles.tile} data-testid={`pool-${pool.id}`}>
      <span className={styles.label}>
        <bdi>{pool.displayName || pool.id}</bdi>
        <T k="comma" />
        <T k="gpus" v={{ n: pool.total }} />
      </span>
      <span className={styles.value}>
        <Fresh of={t('overview.busy', { n: number(percent) })} />
      </span>
      <span className={styles.meter} aria-hidden>
        <i className={styles.busy} style={{ inlineSize: share(used) }} />
        <i className={styles.reserved} style={{ inlineSize: share(pool.reserved) }} />
        <i className={styles.broken} style={{ inlineSize: share(closed) }} />
      </span>
      <span className={styles.label}>
        {[
          t('gpu.free', { n: pool.free }),
          pool.reserved > 0 && t('gpu.reserved', { n: pool.reserved }),
          closed > 0 && t('overview.out', { n: closed }),
        ]
          .filter(Boolean)
          .join(t('comma'))}
      </span>
    </Link>
  )
}
