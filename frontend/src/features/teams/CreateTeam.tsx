import { Button, Group, Modal, Select, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { useWrite } from '~/api/actions'
import { post } from '~/api/client'
import { asProblem } from '~/api/problem'
import type { TeamView } from '~/api/types'
import { useMe } from '~/app/session'
import { useI18n } from '~/i18n'
import { ProblemPanel } from '~/shared/feedback'
import { sayPath } from '~/shared/names'
import styles from './Teams.module.css'

export function CreateTeam({
  teams,
  under,
  onClose,
}: {
  teams: readonly TeamView[]
  under?: string
  onClose: () => void
}) {
  const { t } = useI18n()
  const me = useMe()
  const navigate = useNavigate()
  const possible = teams.filter((team) => me.platformAdmin || team.role === 'TEAM_ADMIN')
  const [parent, setParent] = useState<string | null>(
    possible.find((team) => team.path === under)?.path ?? possible[0]?.path ?? null,
  )
  const [name, setName] = useState('')
  const [displayName, setDisplayName] = useState('')
  const create = useWrite(
    () =>
      post<TeamView>('/teams', { parent, name: name.trim(), displayName: displayName.trim() || name.trim() }),
    [['teams'], ['me'], ['shares']],
    true,
  )
  const problem = create.isError ? asProblem(create.error) : null
  const errorOf = (field: string) => problem?.errors.find((e) => e.field === field)?.message
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(undefined, {
      onSuccess: (team) => {
        onClose()
        void navigate({ to: '/teams', search: { team: team.path } })
      },
    })
  }
  return (
    <Modal opened onClose={onClose} title={t('teams.create')}>
      <form onSubmit={submit} className={styles.fields}>
        <Select
          label={t('teams.parent')}
          data={possible.map((team) => ({ value: team.path, label: sayPath(team.path) }))}
          value={parent}
          onChange={setParent}
          placeholder={t('teams.parent.none')}
          clearable={me.platformAdmin}
          error={errorOf('parent')}
        />
        <TextInput
          label={t('teams.name')}
          description={t('teams.name.help')}
          value={name}
          onChange={(e) => setName(e.currentTarget.value)}
          error={errorOf('name')}
          data-autofocus
          required
          withAsterisk={false}
        />
        <TextInput
          label={t('teams.displayName')}
          value={displayName}
          onChange={(e) => setDisplayName(e.currentTarget.value)}
          error={errorOf('displayName')}
        />
        {problem && <ProblemPanel error={problem} hide={['parent', 'name', 'displayName']} />}
        <Group justify="flex-end" gap={8}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="filled" loading={create.isPending} disabled={name.trim() === ''}>
            {t('teams.createGo')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
