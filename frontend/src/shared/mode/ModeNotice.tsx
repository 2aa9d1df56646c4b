import type { ModeView } from '~/api/types'
import { T } from '~/i18n'
import { sayPath } from '~/shared/names'
import { Since } from '~/shared/time'
import styles from './ModeNotice.module.css'

/** What people have stopped, where everybody sees it. */
export function ModeNotice({ mode }: { mode: ModeView }) {
  if (mode.entries.length === 0) return null
  return (
    <ul className={styles.notices} role="status">
      {mode.entries.map((e) => (
        <li key={e.id}>
          <b>
            <ModeWords mode={e.mode} pool={e.pool} team={e.team} />
          </b>{' '}
          <bdi>{e.why}</bdi>{' '}
          <span className="dimmer">
            <T k="mode.by" v={{ who: e.by, time: <Since at={e.since} /> }} />
          </span>
        </li>
      ))}
    </ul>
  )
}

export function ModeWords({
  mode,
  pool,
  team,
}: {
  mode: string
  pool?: string | null
  team?: string | null
}) {
  if (mode === 'FROZEN') return <T k="mode.FROZEN" />
  if (mode === 'SAFE') return <T k="mode.SAFE" />
  if (pool) return <T k="mode.PAUSED.pool" v={{ pool }} />
  if (team) return <T k="mode.PAUSED.team" v={{ team: sayPath(team) }} />
  return <T k="mode.PAUSED" />
}
