import { Button, Group, Modal, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useWrite } from '~/api/actions'
import { post } from '~/api/client'
import { poolsQuery, teamsQuery } from '~/api/queries'
import type { ModeBody, ModeEntry, ModeView } from '~/api/types'
import { useMe } from '~/app/session'
import { useI18n } from '~/i18n'
import { ProblemPanel } from '~/shared/feedback'
import { sayPath } from '~/shared/names'
import styles from '../teams/Teams.module.css'

export type Mode = 'PAUSED' | 'FROZEN' | 'SAFE'

const TOUCHED = [['mode'], ['jobs']] as const

export function ModeDialog({ mode, onClose }: { mode: Mode; onClose: () => void }) {
  const { t } = useI18n()
  const me = useMe()
  const pools = useQuery(poolsQuery()).data ?? []
  const teams = useQuery(teamsQuery()).data ?? []
  const [scope, setScope] = useState<string | null>(me.platformAdmin ? 'all' : null)
  const set = useWrite((body: ModeBody) => post<ModeView>('/mode', body), TOUCHED, true)
  const own = teams.filter((team) => me.platformAdmin || team.role === 'TEAM_ADMIN')
  const scopes = [
    ...(me.platformAdmin ? [{ value: 'all', label: t('operations.everywhere') }] : []),
    ...(me.platformAdmin ? pools.map((p) => ({ value: `pool:${p.id}`, label: p.displayName || p.id })) : []),
    ...own.map((team) => ({ value: `team:${team.path}`, label: sayPath(team.path) })),
  ]
  return (
    <WhyDialog
      title={t(`operations.${mode}`)}
      means={t(`operations.${mode}.means`)}
      go={t(`operations.${mode}.go`)}
      error={set.isError ? set.error : null}
      pending={set.isPending}
      ready={mode !== 'PAUSED' || scope !== null}
      onClose={onClose}
      onGo={(why) => set.mutate(bodyOf(mode, scope, why), { onSuccess: onClose })}
    >
      {mode === 'PAUSED' && (
        <Select
          label={t('operations.scope')}
          data={scopes}
          value={scope}
          onChange={setScope}
          allowDeselect={false}
          searchable
        />
      )}
    </WhyDialog>
  )
}

function bodyOf(mode: Mode, scope: string | null, why: string): ModeBody {
  const [kind, ...name] = (mode === 'PAUSED' ? (scope ?? 'all') : 'all').split(':')
  const named = name.join(':')
  return { mode, why, pool: kind === 'pool' ? named : null, team: kind === 'team' ? named : null }
}

export function EndDialog({ entry, onClose }: { entry: ModeEntry; onClose: () => void }) {
  const { t } = useI18n()
  const end = useWrite((why: string) => post<ModeView>(`/mode/${entry.id}/end`, { why }), TOUCHED, true)
  return (
    <WhyDialog
      title={t('operations.end')}
      means={t('operations.end.means')}
      go={t('operations.end')}
      error={end.isError ? end.error : null}
      pending={end.isPending}
      ready
      onClose={onClose}
      onGo={(why) => end.mutate(why, { onSuccess: onClose })}
    />
  )
}

function WhyDialog({
  title,
  means,
  go,
  error,
  pending,
  ready,
  onClose,
  onGo,
  children,
}: {
  title: string
  means: string
  go: string
  error: unknown
  pending: boolean
  ready: boolean
  onClose: () => void
  onGo: (why: string) => void
  children?: ReactNode
}) {
  const { t } = useI18n()
  const [why, setWhy] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onGo(why.trim())
  }
  return (
    <Modal opened onClose={onClose} title={title}>
      <form onSubmit={submit} className={styles.fields}>
        <p className="dim">{means}</p>
        {children}
        <TextInput
          label={t('bulk.why')}
          value={why}
          onChange={(e) => setWhy(e.currentTarget.value)}
          required
          withAsterisk={false}
          data-autofocus
        />
        {error != null && <ProblemPanel error={error} />}
        <Group justify="flex-end" gap={8}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="filled" loading={pending} disabled={why.trim() === '' || !ready}>
            {go}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
