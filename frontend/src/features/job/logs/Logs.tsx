import { Button, Select, Switch, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useMemo, useState } from 'react'
import { attemptsQuery } from '~/api/queries'
import type { AttemptView, JobSummary } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { Empty, Loading, ProblemPanel } from '~/shared/feedback'
import { Card } from '~/shared/layout'
import { Instant, clusterNow } from '~/shared/time'
import { LogLines } from './LogLines'
import { SearchAll } from './SearchAll'
import { matching } from './buffer'
import { useLogs } from './useLogs'
import styles from './Logs.module.css'

export function Logs({ job }: { job: JobSummary }) {
  const { t } = useI18n()
  const { replica, q = '' } = useSearch({ from: '/frame/jobs/$id' })
  const navigate = useNavigate({ from: '/jobs/$id' })
  const set = (part: { replica?: string; q?: string }) =>
    void navigate({ search: (old) => ({ ...old, ...part }), replace: true })
  const attempts = useQuery(attemptsQuery(String(job.id))).data ?? []
  const [attempt, setAttempt] = useState<number | undefined>(undefined)
  const shown = attempts.find((a) => a.number === (attempt ?? job.attempt)) ?? attempts[0]
  if (job.attempt === 0) {
    return (
      <Card>
        <Empty title={t('logs.none')}>{t('replicas.none.next')}</Empty>
      </Card>
    )
  }
  return (
    <Card flush>
      <div className={styles.bar}>
        <TextInput
          className={styles.words}
          aria-label={t('logs.search')}
          placeholder={t('logs.search')}
          value={q}
          onChange={(e) => set({ q: e.currentTarget.value || undefined })}
        />
        <Select
          className={styles.choice}
          aria-label={t('logs.replica')}
          placeholder={t('logs.allReplicas')}
          data={[...new Set(shown?.replicas.map((r) => r.name) ?? [])]}
          value={replica ?? null}
          onChange={(next) => set({ replica: next ?? undefined })}
          clearable
          searchable
        />
        {attempts.length > 1 && (
          <Select
            className={styles.choice}
            aria-label={t('logs.attempt')}
            data={attempts.map((a) => ({
              value: String(a.number),
              label: t('attempts.one', { n: a.number }),
            }))}
            value={String(shown?.number ?? job.attempt)}
            onChange={(next) => setAttempt(next ? Number(next) : undefined)}
            allowDeselect={false}
          />
        )}
        <FirstFailing attempt={shown} replica={replica} onPick={(name) => set({ replica: name })} />
      </div>
      <Output
        key={`${attempt ?? ''} ${replica ?? ''}`}
        job={job}
        attempt={attempt ?? job.attempt}
        replica={replica}
        q={q}
      />
    </Card>
  )
}

function FirstFailing({
  attempt,
  replica,
  onPick,
}: {
  attempt: AttemptView | undefined
  replica: string | undefined
  onPick: (name: string) => void
}) {
  const { t } = useI18n()
  const first = attempt?.firstFailing
  if (!first || first === replica) return null
  return (
    <Button onClick={() => onPick(first)} color="red" variant="light">
      {t('logs.firstFailing', { replica: first })}
    </Button>
  )
}

function Kept({ until }: { until: string }) {
  const gone = new Date(until).getTime() <= clusterNow()
  return (
    <span>
      <T k={gone ? 'logs.goneSince' : 'logs.keptUntil'} v={{ at: <Instant at={until} /> }} />
    </span>
  )
}

function Output({
  job,
  attempt,
  replica,
  q,
}: {
  job: JobSummary
  attempt: number
  replica?: string
  q: string
}) {
  const { t } = useI18n()
  const logs = useLogs({ job: job.id, attempt, replica })
  const [follow, setFollow] = useState(true)
  const wanted = useDeferredValue(q)
  const lines = useMemo(() => matching(logs.buffer.lines, wanted), [logs.buffer, wanted])
  const oldest = logs.buffer.lines[0]
  const partial = logs.buffer.cut || (oldest !== undefined && oldest.line > 0)
  return (
    <>
      <div className={`${styles.bar} dim small`}>
        <span role="status">
          {logs.state !== 'loading' && <T k={`logs.${logs.state}`} />}
          {lines.length > 0 && (
            <>
              <T k="comma" />
              <T k={wanted ? 'logs.found' : 'logs.lines'} v={{ n: lines.length }} />
            </>
          )}
        </span>
        {logs.keptUntil && <Kept until={logs.keptUntil} />}
        {logs.dropped > 0 && (
          <span>
            <T k="logs.dropped" v={{ n: logs.dropped }} />
          </span>
        )}
        <Switch
          size="xs"
          checked={follow}
          onChange={(e) => setFollow(e.currentTarget.checked)}
          label={t('logs.follow')}
        />
      </div>
      {logs.state === 'loading' && <Loading lines={6} />}
      {logs.problem && <ProblemPanel error={logs.problem} />}
      {logs.state !== 'loading' && !logs.problem && lines.length === 0 && (
        <Empty title={t(wanted ? 'logs.notFound' : 'logs.nothing')} />
      )}
      {lines.length > 0 && (
        <LogLines
          lines={lines}
          q={wanted}
          follow={follow}
          onFollow={setFollow}
          named={replica === undefined}
        />
      )}
      {wanted !== '' && partial && <SearchAll job={job.id} attempt={attempt} replica={replica} q={wanted} />}
    </>
  )
}
