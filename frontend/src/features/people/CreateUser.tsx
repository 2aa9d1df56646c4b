import { Button, Group, Modal, Switch, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { useWrite } from '~/api/actions'
import { post } from '~/api/client'
import { asProblem } from '~/api/problem'
import type { UserCreated } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { ProblemPanel } from '~/shared/feedback'
import styles from '../teams/Teams.module.css'

export function CreateUser({
  onClose,
  onMade,
}: {
  onClose: () => void
  onMade: (made: UserCreated) => void
}) {
  const { t } = useI18n()
  const [username, setUsername] = useState('')
  const [displayName, setDisplayName] = useState('')
  const [platformAdmin, setPlatformAdmin] = useState(false)
  const create = useWrite(
    () =>
      post<UserCreated>('/users', {
        username: username.trim(),
        displayName: displayName.trim() || username.trim(),
        platformAdmin,
        password: null,
      }),
    [['users']],
    true,
  )
  const problem = create.isError ? asProblem(create.error) : null
  const errorOf = (field: string) => problem?.errors.find((e) => e.field === field)?.message
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(undefined, { onSuccess: onMade })
  }
  return (
    <Modal opened onClose={onClose} title={t('people.create')}>
      <form onSubmit={submit} className={styles.fields}>
        <p className="dim">
          <T k="people.create.means" />
        </p>
        <TextInput
          label={t('signin.name')}
          value={username}
          onChange={(e) => setUsername(e.currentTarget.value)}
          error={errorOf('username')}
          data-autofocus
        />
        <TextInput
          label={t('account.name')}
          value={displayName}
          onChange={(e) => setDisplayName(e.currentTarget.value)}
          error={errorOf('displayName')}
        />
        <Switch
          label={t('role.PLATFORM_ADMIN')}
          checked={platformAdmin}
          onChange={(e) => setPlatformAdmin(e.currentTarget.checked)}
        />
        {problem && <ProblemPanel error={problem} hide={['username', 'displayName']} />}
        <Group justify="flex-end" gap={8}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="filled" loading={create.isPending} disabled={username.trim() === ''}>
            {t('teams.createGo')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
