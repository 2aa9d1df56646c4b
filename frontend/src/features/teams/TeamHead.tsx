import { Button, Group, Modal, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { useWrite } from '~/api/actions'
import { post, send } from '~/api/client'
import { asProblem } from '~/api/problem'
import { groupsQuery, teamsQuery } from '~/api/queries'
import type { TeamView } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { Conflict, ProblemPanel } from '~/shared/feedback'
import { sayPath } from '~/shared/names'
import styles from './Teams.module.css'

const TOUCHED = [['teams'], ['me'], ['shares']] as const

/** The team's name, what it is, and what can be done with it as a whole. */
export function TeamHead({
  team,
  mayRename,
  mayArchive,
}: {
  team: TeamView
  mayRename: boolean
  mayArchive: boolean
}) {
  const [asking, setAsking] = useState<'rename' | 'archive' | null>(null)
  return (
    <div className={styles.head}>
      <div>
        <h2 className={styles.name}>
          <bdi>{sayPath(team.path)}</bdi>
        </h2>
        <p className="dim">
          {team.displayName !== team.name && (
            <>
              <bdi>{team.displayName}</bdi>
              <T k="jobs.sum.and" />
            </>
          )}
          <T k="teams.members" v={{ n: team.members }} />
          <T k="jobs.sum.and" />
          <Link to="/jobs" search={{ team: team.path }}>
            <T k="teams.jobs" />
          </Link>
        </p>
      </div>
      <span className={styles.actions}>
        {mayRename && (
          <Button size="xs" onClick={() => setAsking('rename')}>
            <T k="teams.rename" />
          </Button>
        )}
        {mayArchive && (
          <Button size="xs" onClick={() => setAsking('archive')}>
            <T k="teams.archive" />
          </Button>
        )}
      </span>
      {asking === 'rename' && <Rename team={team} onClose={() => setAsking(null)} />}
      {asking === 'archive' && <Archive team={team} onClose={() => setAsking(null)} />}
    </div>
  )
}

function Rename({ team, onClose }: { team: TeamView; onClose: () => void }) {
  const { t } = useI18n()
  const client = useQueryClient()
  const [version, setVersion] = useState(team.version)
  const [name, setName] = useState(team.displayName)
  const [theirs, setTheirs] = useState<string | null>(null)
  const save = useWrite(
    () =>
      send<TeamView>(`/teams/${team.id}`, {
        method: 'PUT',
        body: { displayName: name.trim() },
        ifMatch: `"${version}"`,
      }),
    TOUCHED,
    true,
  )
  const problem = save.isError ? asProblem(save.error) : null
  const compare = async () => {
    const now = (await client.fetchQuery({ ...teamsQuery(), staleTime: 0 })).find(
      (each) => each.id === team.id,
    )
    setVersion(now?.version ?? version)
    setTheirs(now?.displayName ?? '')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(undefined, {
      onSuccess: onClose,
      onError: (error) => {
        if (asProblem(error).status === 412) void compare()
      },
    })
  }
  const conflict = problem?.status === 412
  return (
    <Modal opened onClose={onClose} title={t('teams.renameOf', { team: sayPath(team.path) })}>
      <form onSubmit={submit} className={styles.fields}>
        <TextInput
          label={t('teams.displayName')}
          description={t('teams.rename.help', { path: sayPath(team.path) })}
          value={name}
          onChange={(e) => setName(e.currentTarget.value)}
          error={problem?.errors.find((e) => e.field === 'displayName')?.message}
          data-autofocus
        />
        {conflict ? (
          <Conflict
            onTake={() => {
              setName(theirs ?? name)
              save.reset()
            }}
          >
            {theirs !== null && <p>{t('teams.theirs', { name: theirs })}</p>}
          </Conflict>
        ) : (
          problem && <ProblemPanel error={problem} hide={['displayName']} />
        )}
        <Group justify="flex-end" gap={8}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="filled" loading={save.isPending} disabled={name.trim() === ''}>
            {t(conflict ? 'conflict.mine' : 'save')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

/** What has to be done first is said before one tries, with numbers. */
function Archive({ team, onClose }: { team: TeamView; onClose: () => void }) {
  const { t } = useI18n()
  const jobs = useQuery(groupsQuery({ team: team.path, state: ['waiting', 'active'] }, 'state')).data
  const open = jobs?.reduce((n, group) => n + group.jobs, 0) ?? 0
  const archive = useWrite(() => post<TeamView>(`/teams/${team.id}/archive`), TOUCHED, true)
  return (
    <Modal opened onClose={onClose} title={t('teams.archiveOf', { team: sayPath(team.path) })}>
      <div className={styles.fields}>
        <p>{t('teams.archive.means')}</p>
        {open > 0 && (
          <p>
            <T k="teams.archive.open" v={{ n: open }} />{' '}
            <Link to="/jobs" search={{ team: team.path, state: ['waiting', 'active'] }}>
              <T k="teams.jobs" />
            </Link>
          </p>
        )}
        {archive.isError && <ProblemPanel error={archive.error} />}
        <Group justify="flex-end" gap={8}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            variant="filled"
            color="red"
            loading={archive.isPending}
            disabled={open > 0}
            onClick={() => archive.mutate(undefined, { onSuccess: onClose })}
          >
            {t('teams.archive')}
          </Button>
        </Group>
      </div>
    </Modal>
  )
}
