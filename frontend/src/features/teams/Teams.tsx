import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { teamsQuery } from '~/api/queries'
import type { TeamView } from '~/api/types'
import { useMe } from '~/app/session'
import { T, useI18n } from '~/i18n'
import { Empty, QueryView } from '~/shared/feedback'
import { Card, PageHead } from '~/shared/layout'
import { Swatch } from '~/shared/gpu'
import { useTeamColours } from '~/shared/teams'
import { CreateTeam } from './CreateTeam'
import { Members } from './Members'
import { Quotas } from './Quotas'
import { TeamHead } from './TeamHead'
import { TeamSettings } from './TeamSettings'
import { rights } from './rights'
import styles from './Teams.module.css'

export function Teams() {
  const { t } = useI18n()
  const me = useMe()
  const teams = useQuery(teamsQuery())
  const { team: wanted } = useSearch({ from: '/frame/teams' })
  const [creating, setCreating] = useState(false)
  const all = (teams.data ?? []).filter((team) => !team.archived)
  const own = me.teams.find((team) => all.some((each) => each.path === team.path))?.path
  const picked = all.find((team) => team.path === (wanted ?? own)) ?? all[0]
  const mayCreate = me.platformAdmin || all.some((team) => team.role === 'TEAM_ADMIN')
  return (
    <>
      <PageHead
        title={t('nav.teams')}
        facts={teams.data ? [t('teams.count', { n: all.length })] : []}
        actions={mayCreate && <Button onClick={() => setCreating(true)}>{t('teams.create')}</Button>}
      />
      <QueryView query={teams} lines={8}>
        {() =>
          picked ? (
            <div className={styles.page}>
              <Tree teams={all} picked={picked} />
              <OneTeam key={picked.id} team={picked} all={all} />
            </div>
          ) : (
            <Empty title={t('teams.none')}>{t('teams.none.next')}</Empty>
          )
        }
      </QueryView>
      {creating && <CreateTeam teams={all} under={picked?.path} onClose={() => setCreating(false)} />}
    </>
  )
}

function Tree({ teams, picked }: { teams: readonly TeamView[]; picked: TeamView }) {
  const { t } = useI18n()
  const colour = useTeamColours()
  return (
    <nav className={styles.tree} aria-label={t('teams.tree')}>
      {[...teams]
        .sort((a, b) => a.path.localeCompare(b.path))
        .map((team) => (
          <Link
            key={team.id}
            to="/teams"
            search={{ team: team.path }}
            className={styles.branch}
            aria-current={team.id === picked.id ? 'true' : undefined}
            style={{ paddingInlineStart: 10 + (team.path.split('/').length - 1) * 16 }}
          >
            <Swatch kind="busy" colour={colour(team.path)} />
            <bdi>{team.name}</bdi>
            <span className="dimmer small">{team.role && t(`role.${team.role as 'MEMBER'}`)}</span>
          </Link>
        ))}
    </nav>
  )
}

function OneTeam({ team, all }: { team: TeamView; all: readonly TeamView[] }) {
  const me = useMe()
  const may = rights(team, all, me.platformAdmin)
  return (
    <div className={styles.team}>
      <TeamHead team={team} mayRename={may.members} mayArchive={me.platformAdmin} />
      <Quotas team={team} mayEdit={may.quotas} />
      {may.seeMembers && (
        <Card title={<T k="teams.membersTitle" />}>
          <Members team={team} mayEdit={may.members} />
        </Card>
      )}
      {may.seeMembers && <TeamSettings team={team} mayEdit={may.members} mayEditVolumes={me.platformAdmin} />}
    </div>
  )
}
