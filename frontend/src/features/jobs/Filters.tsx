import { Button, Chip, MultiSelect, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  GROUPS as BY,
  poolsQuery,
  prioritiesQuery,
  teamsQuery,
  type GroupBy,
  type JobFilter,
} from '~/api/queries'
import { useI18n } from '~/i18n'
import { JOB_STATES } from '~/shared/state'
import { sayPath } from '~/shared/names'
import styles from './Filters.module.css'

const GROUPS = ['waiting', 'active', 'ended'] as const

/** The filters of the list; they live in the address, so that a view can be kept and shared. */
export function Filters({
  filter,
  group,
  onChange,
  onGroup,
}: {
  filter: JobFilter
  group: GroupBy | undefined
  onChange: (next: JobFilter) => void
  onGroup: (by: GroupBy | undefined) => void
}) {
  const { t } = useI18n()
  const teams = useQuery(teamsQuery()).data ?? []
  const pools = useQuery(poolsQuery()).data ?? []
  const priorities = useQuery(prioritiesQuery()).data ?? []
  const set = (part: Partial<JobFilter>) => onChange(clean({ ...filter, ...part }))
  const states = [
    ...GROUPS.map((value) => ({ value, label: t(`jobs.group.${value}`) })),
    ...JOB_STATES.map((value) => ({ value, label: t(`state.${value}`) })),
  ]
  return (
    <div className={styles.filters} role="search">
      <Words q={filter.q ?? filter.label ?? ''} onChange={(text) => set(wordsOf(text))} />
      <MultiSelect
        className={styles.states}
        aria-label={t('jobs.filter.state')}
        placeholder={filter.state?.length ? undefined : t('jobs.filter.state')}
        data={states}
        value={filter.state ?? []}
        onChange={(state) => set({ state })}
        clearable
      />
      <Choice
        label={t('jobs.filter.team')}
        data={teams.map((team) => ({ value: team.path, label: sayPath(team.path) }))}
        value={filter.team}
        onChange={(team) => set({ team })}
      />
      <Choice
        label={t('jobs.filter.pool')}
        data={pools.map((p) => ({ value: p.id, label: p.displayName || p.id }))}
        value={filter.pool}
        onChange={(pool) => set({ pool })}
      />
      <Choice
        label={t('jobs.filter.priority')}
        data={priorities.map((p) => ({ value: p.name, label: p.name }))}
        value={filter.priority}
        onChange={(priority) => set({ priority })}
      />
      <Chip
        checked={filter.user === 'me'}
        onChange={(mine) => set({ user: mine ? 'me' : undefined })}
        size="sm"
      >
        {t('jobs.filter.mine')}
      </Chip>
      <Chip
        checked={filter.order === 'oldest'}
        onChange={(oldest) => set({ order: oldest ? 'oldest' : undefined })}
        size="sm"
      >
        {t('jobs.filter.oldest')}
      </Chip>
      <Choice
        label={t('jobs.groupBy')}
        data={BY.map((value) => ({ value, label: t(`jobs.groupBy.${value}`) }))}
        value={group}
        onChange={(next) => onGroup(BY.find((each) => each === next))}
      />
      {Object.keys(filter).length > 0 && (
        <Button variant="subtle" onClick={() => onChange({})}>
          {t('jobs.filter.clear')}
        </Button>
      )}
    </div>
  )
}

function Words({ q, onChange }: { q: string; onChange: (q: string) => void }) {
  const { t } = useI18n()
  const [text, setText] = useState(q)
  const [sent, setSent] = useState(q)
  // The address changed by itself (back, clear): follow it, but never while typing.
  if (q !== sent) {
    setSent(q)
    setText(q)
  }
  const later = useDebouncedCallback((next: string) => {
    setSent(next)
    onChange(next)
  }, 300)
  return (
    <TextInput
      className={styles.words}
      aria-label={t('jobs.filter.q')}
      placeholder={t('jobs.filter.q')}
      value={text}
      onChange={(e) => {
        setText(e.currentTarget.value)
        later(e.currentTarget.value)
      }}
    />
  )
}

function Choice({
  label,
  data,
  value,
  onChange,
}: {
  label: string
  data: { value: string; label: string }[]
  value: string | undefined
  onChange: (value: string | undefined) => void
}) {
  return (
    <Select
      className={styles.choice}
      aria-label={label}
      placeholder={label}
      data={data}
      value={value ?? null}
      onChange={(next) => onChange(next ?? undefined)}
      clearable
      searchable={data.length > 6}
    />
  )
}

/** `name:value` is a label, everything else a part of a name or an id. */
function wordsOf(text: string): Partial<JobFilter> {
  const label = /^[\w./-]+:\S+$/.test(text.trim())
  return label ? { label: text.trim(), q: undefined } : { q: text, label: undefined }
}

function clean(filter: JobFilter): JobFilter {
  const kept = Object.entries(filter).filter(
    ([, v]) => v !== undefined && v !== '' && !(Array.isArray(v) && !v.length),
  )
  return Object.fromEntries(kept)
}
