import { Button, Menu, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useJobAction } from '~/api/actions'
import { prioritiesQuery, type Job } from '~/api/queries'
import { useI18n, type Key } from '~/i18n'
import { LinkButton } from '~/shared/layout'
import { sayNo } from '~/shared/reasons'
import { ActionDialog, type Asking } from './ActionDialog'

const SHOWN: Record<string, readonly string[]> = {
  waiting: ['hold', 'release', 'priority', 'cancel'],
  active: ['checkpoint', 'extend', 'hold', 'priority', 'cancel'],
}

/** What can be done about a job now. What cannot be done says why, on hover. */
export function JobActions({ loaded }: { loaded: Job }) {
  const { t } = useI18n()
  const { job, actions, refusals } = loaded.detail
  const [asking, setAsking] = useState<Asking | null>(null)
  const act = useJobAction(job.id)
  const ended = job.endedAt != null
  const waits = job.state === 'QUEUED' || job.state === 'HELD'
  const wanted = ended ? [] : (SHOWN[waits ? 'waiting' : 'active'] ?? [])
  // Only one of the two makes sense at a time.
  const shown = wanted.filter((each) => each !== (job.state === 'HELD' ? 'hold' : 'release'))
  const whyNot = (action: string) => {
    const no = refusals[action]
    return no && sayNo(no, job.state, t)
  }
  const run = (action: string) => {
    if (action === 'release' || action === 'checkpoint') act.mutate({ do: action })
    else setAsking(action as Asking)
  }
  return (
    <>
      {shown.map((action) =>
        action === 'priority' ? (
          <PriorityMenu
            key={action}
            now={job.priority}
            allowed={actions.includes(action)}
            refusal={whyNot(action)}
            onPick={(priority) => act.mutate({ do: 'priority', priority })}
          />
        ) : (
          <Action
            key={action}
            allowed={actions.includes(action)}
            refusal={whyNot(action)}
            loading={act.isPending && act.variables.do === action}
            onClick={() => run(action)}
          >
            {t(`job.${action}` as Key)}
          </Action>
        ),
      )}
      {loaded.detail.document != null && (
        <LinkButton to="/submit" search={{ clone: String(job.id) }}>
          {t('job.clone')}
        </LinkButton>
      )}
      {asking && <ActionDialog asking={asking} job={job} onClose={() => setAsking(null)} />}
    </>
  )
}

function Action({
  allowed,
  refusal,
  loading,
  onClick,
  children,
}: {
  allowed: boolean
  refusal: string | undefined
  loading: boolean
  onClick: () => void
  children: string
}) {
  return (
    <Tooltip label={refusal} disabled={allowed || !refusal} multiline maw={280}>
      {/* aria-disabled keeps the reason reachable by keyboard and hover. */}
      <Button
        aria-disabled={!allowed}
        data-disabled={!allowed || undefined}
        loading={loading}
        onClick={() => {
          if (allowed) onClick()
        }}
      >
        {children}
      </Button>
    </Tooltip>
  )
}

function PriorityMenu({
  now,
  allowed,
  refusal,
  onPick,
}: {
  now: string
  allowed: boolean
  refusal: string | undefined
  onPick: (priority: string) => void
}) {
  const { t } = useI18n()
  const classes = useQuery(prioritiesQuery()).data ?? []
  return (
    <Menu position="bottom-end" disabled={!allowed}>
      <Menu.Target>
        <Button
          title={allowed ? undefined : refusal}
          data-disabled={!allowed || undefined}
          aria-disabled={!allowed}
        >
          {t('job.setPriority')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {[...classes]
          .sort((a, b) => b.value - a.value || a.name.localeCompare(b.name))
          .map((each) => (
            <Menu.Item
              key={each.name}
              onClick={() => onPick(each.name)}
              disabled={each.name === now}
              rightSection={each.name === now ? '✓' : null}
            >
              {each.name}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  )
}
