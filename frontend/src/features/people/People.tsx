import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWrite } from '~/api/actions'
import { post } from '~/api/client'
import { usersQuery } from '~/api/queries'
import type { UserCreated, UserView } from '~/api/types'
import { useMe } from '~/app/session'
import { T, useI18n } from '~/i18n'
import { QueryView } from '~/shared/feedback'
import { Card, PageHead } from '~/shared/layout'
import { sayPath } from '~/shared/names'
import { PlainTable } from '~/shared/table'
import { CreateUser } from './CreateUser'
import { LinkDialog } from './LinkDialog'
import styles from './People.module.css'

/** Who may sign in, as platform admins see it. */
export function People() {
  const { t } = useI18n()
  const users = useQuery(usersQuery())
  const [creating, setCreating] = useState(false)
  const [made, setMade] = useState<UserCreated | null>(null)
  return (
    <>
      <PageHead
        title={t('nav.people')}
        facts={users.data ? [t('people.count', { n: users.data.length })] : []}
        actions={<Button onClick={() => setCreating(true)}>{t('people.create')}</Button>}
      />
      <Card>
        <QueryView query={users} lines={8}>
          {(all) => <List users={all} onLink={setMade} />}
        </QueryView>
      </Card>
      {creating && (
        <CreateUser
          onClose={() => setCreating(false)}
          onMade={(created) => {
            setCreating(false)
            setMade(created)
          }}
        />
      )}
      {made?.oneTimeLink && (
        <LinkDialog who={made.user.username} path={made.oneTimeLink} onClose={() => setMade(null)} />
      )}
    </>
  )
}

function List({ users, onLink }: { users: readonly UserView[]; onLink: (made: UserCreated) => void }) {
  const { t } = useI18n()
  return (
    <PlainTable
      label={t('nav.people')}
      columns={[
        { header: t('signin.name') },
        { header: t('account.name'), narrow: false },
        { header: t('people.roles') },
        { header: <span className="hidden">{t('people.link')}</span> },
      ]}
      rows={[...users]
        .sort((a, b) => a.username.localeCompare(b.username))
        .map((user) => ({
          key: user.id,
          cells: [
            <span key="u" className="mono">
              {user.username}
            </span>,
            <bdi key="n" className={user.disabled ? 'dimmer' : undefined}>
              {user.displayName}
            </bdi>,
            <span key="r" className="dim">
              {sayRoles(user, t)}
            </span>,
            <Actions key="a" user={user} onLink={onLink} />,
          ],
        }))}
    />
  )
}

function sayRoles(user: UserView, t: ReturnType<typeof useI18n>['t']): string {
  return [
    user.disabled && t('people.disabled'),
    user.serviceOf && t('people.service', { team: sayPath(user.serviceOf) }),
    user.platformAdmin && t('role.PLATFORM_ADMIN'),
    ...user.memberships.map((m) => `${sayPath(m.path)} (${t(`role.${m.role as 'MEMBER'}`)})`),
  ]
    .filter(Boolean)
    .join(t('comma'))
}

function Actions({ user, onLink }: { user: UserView; onLink: (made: UserCreated) => void }) {
  const { t } = useI18n()
  const me = useMe()
  const path = `/users/${encodeURIComponent(user.username)}`
  const link = useWrite(() => post<UserCreated>(`${path}/one-time-link`), [])
  const toggle = useWrite(
    () => post<UserView>(`${path}/${user.disabled ? 'enable' : 'disable'}`),
    [['users']],
  )
  if (user.username === me.username) return null
  return (
    <span className={styles.actions}>
      {!user.disabled && !user.serviceOf && (
        <Button
          size="xs"
          loading={link.isPending}
          onClick={() => link.mutate(undefined, { onSuccess: onLink })}
          aria-label={t('people.linkFor', { who: user.username })}
        >
          <T k="people.link" />
        </Button>
      )}
      <Button
        size="xs"
        loading={toggle.isPending}
        onClick={() => toggle.mutate(undefined)}
        aria-label={t(user.disabled ? 'people.enableOf' : 'people.disableOf', { who: user.username })}
      >
        <T k={user.disabled ? 'people.enable' : 'people.disable'} />
      </Button>
    </span>
  )
}
