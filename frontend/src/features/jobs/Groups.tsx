import { useQuery } from '@tanstack/react-query'
import { groupsQuery, type GroupBy, type JobFilter } from '~/api/queries'
import type { JobGroup, JobSummary } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { Empty, Loading, ProblemPanel } from '~/shared/feedback'
import { sayPath } from '~/shared/names'
import { JOB_STATES, StateChip } from '~/shared/state'
import type { RowSelectionState } from '~/shared/table'
import { JobsTable } from './JobsTable'
import type { Picked } from './picked'
import styles from './Groups.module.css'

interface Props {
  filter: JobFilter
  by: GroupBy
  open: readonly string[]
  onOpen: (open: string[]) => void
  picked: Picked
  onPick: (rows: readonly JobSummary[], chosen: RowSelectionState) => void
}

/** The list in parts, each with its sums; what is open stands in the address. */
export function Groups({ filter, by, open, onOpen, picked, onPick }: Props) {
  const { t } = useI18n()
  const groups = useQuery(groupsQuery(filter, by))
  if (groups.isError && !groups.data) {
    return <ProblemPanel error={groups.error} retry={() => void groups.refetch()} />
  }
  if (!groups.data) return <Loading lines={8} />
  if (groups.data.length === 0) return <Empty title={t('jobs.none')}>{t('jobs.none.next')}</Empty>
  return (
    <ul className={styles.groups} aria-busy={groups.isPlaceholderData}>
      {groups.data.map((group) => {
        const shown = open.includes(group.key)
        const id = `group-${group.key.replaceAll('/', '-')}`
        return (
          <li key={group.key}>
            <button
              type="button"
              className={styles.head}
              aria-expanded={shown}
              aria-controls={id}
              onClick={() => onOpen(shown ? open.filter((key) => key !== group.key) : [...open, group.key])}
            >
              <span className={styles.mark} aria-hidden>
                ▸
              </span>
              <Name by={by} of={group.key} />
              <Sums of={group} />
            </button>
            {shown && (
              <div id={id}>
                <JobsTable
                  filter={narrowed(filter, by, group.key)}
                  inner={by !== 'team'}
                  label={t('jobs.inGroup', { group: group.key })}
                  picked={picked}
                  onPick={onPick}
                  short={groups.data.length > 1}
                />
              </div>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function Name({ by, of }: { by: GroupBy; of: string }) {
  const state = JOB_STATES.find((each) => each === of)
  if (by === 'state' && state) return <StateChip state={state} />
  return <bdi className={styles.name}>{by === 'team' ? sayPath(of) : of}</bdi>
}

function Sums({ of }: { of: JobGroup }) {
  const { t } = useI18n()
  return (
    <span className={styles.sums}>
      {[
        t('overview.jobs', { n: of.jobs }),
        of.active > 0 && t('jobs.sum.active', { n: of.active, gpus: t('gpus', { n: of.gpusInUse }) }),
        of.waiting > 0 && t('jobs.sum.waiting', { n: of.waiting, gpus: t('gpus', { n: of.gpusWanted }) }),
      ]
        .filter(Boolean)
        .map((part, i) => (
          <span key={i}>
            {i > 0 && <T k="jobs.sum.and" />}
            {part}
          </span>
        ))}
    </span>
  )
}

function narrowed(filter: JobFilter, by: GroupBy, key: string): JobFilter {
  return by === 'state' ? { ...filter, state: [key] } : { ...filter, [by]: key }
}
