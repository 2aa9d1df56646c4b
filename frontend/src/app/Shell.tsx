import { Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { T } from '~/i18n'
import { useLiveUpdates } from '~/api/live'
import { Nav } from './Nav'
import { TopBar } from './TopBar'
import styles from './Shell.module.css'

/** Frame of every screen for somebody who is signed in. */
export function Shell() {
  const live = useLiveUpdates()
  const path = useRouterState({ select: (s) => s.location.pathname })
  const main = useRef<HTMLElement>(null)
  const first = useRef(true)
  // After a change of screen the keyboard starts at the new content; a reload leaves the focus where it is.
  useEffect(() => {
    if (!first.current) main.current?.focus({ preventScroll: true })
    first.current = false
  }, [path])
  return (
    <div className={styles.app}>
      <a href="#main" className={styles.skip}>
        <T k="nav.skip" />
      </a>
      <Nav />
      <div className={styles.body}>
        <TopBar live={live} />
        <main id="main" ref={main} tabIndex={-1} className={styles.main}>
          <Outlet />
        </main>
      </div>
    </div>
  )
}
