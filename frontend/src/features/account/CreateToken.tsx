import { Button, Group, Modal, Select, TextInput } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { useState, type FormEvent } from 'react'
import { useWrite } from '~/api/actions'
import { post } from '~/api/client'
import { asProblem } from '~/api/problem'
import type { TokenCreate, TokenCreated } from '~/api/types'
import { useMe } from '~/app/session'
import { T, useI18n } from '~/i18n'
import { ProblemPanel } from '~/shared/feedback'
import { sayPath } from '~/shared/names'
import { parseDuration } from '~/shared/time'
import styles from '../teams/Teams.module.css'

const SCOPES = ['READ', 'SUBMIT', 'ADMIN'] as const

export function CreateToken({ onClose }: { onClose: () => void }) {
  const { t } = useI18n()
  const create = useWrite((body: TokenCreate) => post<TokenCreated>('/tokens', body), [['tokens']], true)
  return (
    <Modal opened onClose={onClose} title={t('tokens.create')} closeOnClickOutside={!create.data}>
      {create.data ? (
        <Secret secret={create.data.secret} onClose={onClose} />
      ) : (
        <Form
          create={(body) => create.mutate(body)}
          pending={create.isPending}
          error={create.isError ? create.error : null}
        />
      )}
    </Modal>
  )
}

function Form({
  create,
  pending,
  error,
}: {
  create: (body: TokenCreate) => void
  pending: boolean
  error: Error | null
}) {
  const { t } = useI18n()
  const me = useMe()
  const [name, setName] = useState('')
  const [scope, setScope] = useState<(typeof SCOPES)[number]>('SUBMIT')
  const [team, setTeam] = useState<string | null>(null)
  const [expiresIn, setExpiresIn] = useState('90d')
  const problem = error ? asProblem(error) : null
  const errorOf = (field: string) => problem?.errors.find((e) => e.field === field)?.message
  const bad = parseDuration(expiresIn) === null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create({ name: name.trim(), scope, team, expiresIn: expiresIn.trim() })
  }
  return (
    <form onSubmit={submit} className={styles.fields}>
      <TextInput
        label={t('tokens.name')}
        description={t('tokens.name.help')}
        value={name}
        onChange={(e) => setName(e.currentTarget.value)}
        error={errorOf('name')}
        data-autofocus
      />
      <Select
        label={t('tokens.scope')}
        data={SCOPES.map((value) => ({ value, label: t(`tokens.scope.${value}`) }))}
        value={scope}
        onChange={(next) => next && setScope(next)}
        error={errorOf('scope')}
        allowDeselect={false}
      />
      <Select
        label={t('tokens.team')}
        placeholder={t('tokens.team.all')}
        data={me.teams.map((each) => ({ value: each.path, label: sayPath(each.path) }))}
        value={team}
        onChange={setTeam}
        error={errorOf('team')}
        clearable
      />
      <TextInput
        label={t('tokens.expiresIn')}
        value={expiresIn}
        onChange={(e) => setExpiresIn(e.currentTarget.value)}
        error={errorOf('expiresIn') ?? (bad ? t('doc.bad.duration') : undefined)}
      />
      {problem && <ProblemPanel error={problem} hide={['name', 'scope', 'team', 'expiresIn']} />}
      <Group justify="flex-end" gap={8}>
        <Button type="submit" variant="filled" loading={pending} disabled={name.trim() === '' || bad}>
          {t('tokens.create')}
        </Button>
      </Group>
    </form>
  )
}

function Secret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useI18n()
  const clipboard = useClipboard()
  return (
    <div className={styles.fields}>
      <p>
        <T k="tokens.once" />
      </p>
      <TextInput
        readOnly
        value={secret}
        aria-label={t('tokens.secret')}
        styles={{ input: { fontFamily: 'var(--mono)' } }}
        onFocus={(e) => e.currentTarget.select()}
        data-autofocus
      />
      <Group justify="flex-end" gap={8}>
        <Button onClick={() => clipboard.copy(secret)}>{t(clipboard.copied ? 'copied' : 'copy')}</Button>
        <Button variant="filled" onClick={onClose}>
          {t('tokens.kept')}
        </Button>
      </Group>
    </div>
  )
}
