import { Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { overviewQuery } from '~/api/queries'
import { T, useI18n, type Key } from '~/i18n'
import { Logo } from './Logo'
import { useMe } from './session'
import styles from './Nav.module.css'

interface Place {
  to: LinkProps['to']
  label: Key
}

const DAILY: Place[] = [
  { to: '/', label: 'nav.overview' },
  { to: '/jobs', label: 'nav.jobs' },
  { to: '/submit', label: 'nav.submit' },
  { to: '/cluster', label: 'nav.cluster' },
  { to: '/shares', label: 'nav.shares' },
]
const ADMIN: Place[] = [
  { to: '/teams', label: 'nav.teams' },
  { to: '/people', label: 'nav.people' },
  { to: '/operations', label: 'nav.operations' },
]

export function Nav() {
  const [more, { open, close }] = useDisclosure(false)
  const { t } = useI18n()
  return (
    <>
      <nav className={styles.side} aria-label={t('nav.main')}>
        <Link to="/" className={styles.brand}>
          <Logo />
          Muster
        </Link>
        <Places />
      </nav>
      <nav className={styles.bottom} aria-label={t('nav.main')}>
        {DAILY.slice(0, 4).map((place) => (
          <Link
            key={place.to}
            to={place.to}
            activeOptions={{ exact: place.to === '/', includeSearch: false }}
          >
            <T k={place.label} />
          </Link>
        ))}
        <button type="button" onClick={open} aria-expanded={more}>
          <T k="more" />
        </button>
      </nav>
      <Drawer
        opened={more}
        onClose={close}
        position="bottom"
        size="auto"
        title={t('more')}
        classNames={{ body: styles.drawer }}
      >
        <Places onGo={close} />
      </Drawer>
    </>
  )
}

function Places({ onGo }: { onGo?: () => void }) {
  const me = useMe()
  // A team's admin may pause the team; the rest of operations is the platform's.
  const mayPause = me.teams.some((team) => team.role === 'TEAM_ADMIN')
  const waiting = useQuery({ ...overviewQuery(), select: (o) => o.waitingJobs }).data
  return (
    <>
      {DAILY.map((place) => (
        <Entry key={place.to} place={place} onGo={onGo}>
          {place.to === '/jobs' && waiting ? <T k="nav.waiting" v={{ n: waiting }} /> : null}
        </Entry>
      ))}
      <div className={styles.heading}>
        <T k="nav.admin" />
      </div>
      {ADMIN.filter(
        (place) => place.to === '/teams' || me.platformAdmin || (place.to === '/operations' && mayPause),
      ).map((place) => (
        <Entry key={place.to} place={place} onGo={onGo} />
      ))}
      <Entry place={{ to: '/account', label: 'nav.account' }} onGo={onGo} />
    </>
  )
}

function Entry({ place, onGo, children }: { place: Place; onGo?: () => void; children?: React.ReactNode }) {
  return (
    <Link
      to={place.to}
      className={styles.entry}
      activeOptions={{ exact: place.to === '/', includeSearch: false }}
      activeProps={{ 'aria-current': 'page' }}
      onClick={onGo}
    >
      <T k={place.label} />
      {children && <b>{children}</b>}
    </Link>
  )
}
