import { Button, CloseButton, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useWrite } from '~/api/actions'
import { send } from '~/api/client'
import { membersQuery } from '~/api/queries'
import type { MemberView, Role, TeamView } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { Empty, ProblemPanel, QueryView } from '~/shared/feedback'
import styles from './Teams.module.css'

const ROLES: Role[] = ['VIEWER', 'MEMBER', 'TEAM_ADMIN']

export function Members({ team, mayEdit }: { team: TeamView; mayEdit: boolean }) {
  const { t } = useI18n()
  const members = useQuery(membersQuery(team.id))
  const path = (username: string) => `/teams/${team.id}/members/${encodeURIComponent(username)}`
  const touched = [['teams'], ['me']] as const
  const set = useWrite(
    ({ username, role }: { username: string; role: Role }) =>
      send<MemberView>(path(username), { method: 'PUT', body: { role } }),
    touched,
  )
  const remove = useWrite((username: string) => send(path(username), { method: 'DELETE' }), touched)
  const roles = ROLES.map((role) => ({ value: role, label: t(`role.${role}`) }))
  return (
    <QueryView query={members}>
      {(all) => (
        <>
          {all.length === 0 && <Empty title={t('teams.noMembers')} />}
          <ul className={styles.members}>
            {all.map((m) => (
              <li key={m.username}>
                <span>
                  <bdi>{m.displayName}</bdi> <bdi className="mono dimmer">{m.username}</bdi>
                </span>
                {mayEdit ? (
                  <>
                    <Select
                      className={styles.role}
                      size="xs"
                      aria-label={t('teams.roleOf', { who: m.username })}
                      data={roles}
                      value={m.role}
                      onChange={(role) => role && set.mutate({ username: m.username, role: role as Role })}
                      allowDeselect={false}
                    />
                    <CloseButton
                      aria-label={t('teams.remove', { who: m.username })}
                      onClick={() => remove.mutate(m.username)}
                    />
                  </>
                ) : (
                  <span className="dim">{t(`role.${m.role}`)}</span>
                )}
              </li>
            ))}
          </ul>
          {mayEdit && (
            <AddMember
              roles={roles}
              add={(username, role, done) => set.mutate({ username, role }, { onSuccess: done })}
              pending={set.isPending}
            />
          )}
          {remove.isError && <ProblemPanel error={remove.error} />}
        </>
      )}
    </QueryView>
  )
}

function AddMember({
  roles,
  add,
  pending,
}: {
  roles: { value: string; label: string }[]
  add: (username: string, role: Role, done: () => void) => void
  pending: boolean
}) {
  const { t } = useI18n()
  const [username, setUsername] = useState('')
  const [role, setRole] = useState<Role>('MEMBER')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add(username.trim(), role, () => setUsername(''))
  }
  return (
    <form onSubmit={submit} className={styles.add}>
      <TextInput
        aria-label={t('signin.name')}
        placeholder={t('signin.name')}
        value={username}
        onChange={(e) => setUsername(e.currentTarget.value)}
      />
      <Select
        className={styles.role}
        aria-label={t('teams.role')}
        data={roles}
        value={role}
        onChange={(next) => next && setRole(next as Role)}
        allowDeselect={false}
      />
      <Button type="submit" disabled={username.trim() === ''} loading={pending}>
        <T k="teams.add" />
      </Button>
    </form>
  )
}
