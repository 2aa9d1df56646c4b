import { Menu, Tooltip, UnstyledButton, useMantineColorScheme, type MantineColorScheme } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { T, useI18n, type Language } from '~/i18n'
import type { LiveState } from '~/api/live'
import { Search } from './Search'
import { useMe, useSignOut } from './session'
import styles from './TopBar.module.css'

export function TopBar({ live }: { live: LiveState }) {
  return (
    <div className={styles.top}>
      <Search />
      <span className={styles.fill} />
      <LiveMark state={live} />
      <UserMenu />
    </div>
  )
}

function LiveMark({ state }: { state: LiveState }) {
  const { t } = useI18n()
  return (
    <Tooltip label={t('live.off.help')} disabled={state === 'on'} multiline w={260}>
      <span className={styles.live} data-state={state} role="status">
        <i />
        <T k={`live.${state}`} />
      </span>
    </Tooltip>
  )
}

const SCHEMES: MantineColorScheme[] = ['auto', 'light', 'dark']
const LANGUAGES: [Language, string][] = [
  ['en', 'English'],
  ['ar', 'العربية'],
]

function UserMenu() {
  const me = useMe()
  const { t, language, setLanguage } = useI18n()
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const signOut = useSignOut()
  return (
    <Menu position="bottom-end" width={210} shadow="md">
      <Menu.Target>
        <UnstyledButton
          className={styles.user}
          aria-label={t('menu.label', { who: me.displayName || me.username })}
        >
          <bdi>{me.displayName || me.username}</bdi>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('menu.theme')}</Menu.Label>
        {SCHEMES.map((scheme) => (
          <Menu.Item
            key={scheme}
            onClick={() => setColorScheme(scheme)}
            rightSection={colorScheme === scheme ? '✓' : null}
            aria-current={colorScheme === scheme}
          >
            {t(`menu.theme.${scheme}`)}
          </Menu.Item>
        ))}
        <Menu.Label>{t('menu.language')}</Menu.Label>
        {LANGUAGES.map(([each, name]) => (
          <Menu.Item
            key={each}
            lang={each}
            onClick={() => setLanguage(each)}
            rightSection={language === each ? '✓' : null}
            aria-current={language === each}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component={Link} to="/account">
          {t('nav.account')}
        </Menu.Item>
        <Menu.Item onClick={() => signOut.mutate()}>{t('menu.signout')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
