import { Button, Group, Modal, Select, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBulk } from '~/api/actions'
import { post } from '~/api/client'
import { prioritiesQuery } from '~/api/queries'
import type { BulkItem, BulkResult } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { Loading, ProblemPanel } from '~/shared/feedback'
import { JobLink } from '~/shared/names'
import { StateChip } from '~/shared/state'
import { PlainTable } from '~/shared/table'
import { byWeight, sayConsequence, type BulkAction } from './consequence'
import styles from './BulkDialog.module.css'

const SHOWN = 100

/** Says what would happen to each job, and who may not, before it is done. */
export function BulkDialog({
  action,
  ids,
  onClose,
}: {
  action: BulkAction
  ids: readonly number[]
  onClose: (done: boolean) => void
}) {
  const { t } = useI18n()
  const [why, setWhy] = useState('')
  const [priority, setPriority] = useState<string | null>(null)
  const ready = action !== 'priority' || priority !== null
  const trial = useQuery({
    queryKey: ['bulk', action, priority, ids],
    queryFn: () => post<BulkResult>('/jobs/bulk', { action, jobs: ids, priority, dryRun: true }),
    enabled: ready,
    gcTime: 0,
    staleTime: 0,
  })
  const bulk = useBulk()
  const would = trial.data?.items.filter((item) => item.outcome === 'would-do') ?? []
  const run = () =>
    bulk.mutate(
      { action, jobs: would.map((item) => item.job), priority, why: why.trim() || null, dryRun: false },
      {
        onSuccess: (result) => {
          const n = result.items.filter((item) => item.outcome === 'done').length
          const not = result.items.filter((item) => item.outcome === 'refused').length
          notifications.show({
            message: [t('bulk.done', { n }), not > 0 && t('bulk.refused', { n: not })]
              .filter(Boolean)
              .join(t('comma')),
          })
          onClose(true)
        },
      },
    )
  return (
    <Modal
      opened
      onClose={() => onClose(false)}
      title={t(`bulk.${action}.title`, { n: ids.length })}
      size={640}
    >
      {action === 'priority' && <Classes value={priority} onChange={setPriority} />}
      {ready && trial.isPending && <Loading lines={3} />}
      {trial.isError && <ProblemPanel error={trial.error} retry={() => void trial.refetch()} />}
      {trial.data && <Outcome items={trial.data.items} action={action} priority={priority ?? ''} />}
      {(action === 'cancel' || action === 'hold') && (
        <TextInput
          label={t('bulk.why')}
          value={why}
          onChange={(e) => setWhy(e.currentTarget.value)}
          mt="sm"
        />
      )}
      {bulk.isError && <ProblemPanel error={bulk.error} />}
      <Group justify="flex-end" mt="md" gap={8}>
        <Button onClick={() => onClose(false)}>{t('bulk.keep')}</Button>
        <Button
          variant="filled"
          color={action === 'cancel' ? 'red' : undefined}
          disabled={would.length === 0}
          loading={bulk.isPending}
          onClick={run}
        >
          {t(`bulk.${action}.go`, { n: would.length })}
        </Button>
      </Group>
    </Modal>
  )
}

function Classes({ value, onChange }: { value: string | null; onChange: (next: string | null) => void }) {
  const { t } = useI18n()
  const classes = useQuery(prioritiesQuery()).data ?? []
  return (
    <Select
      label={t('bulk.priority.to')}
      data={[...classes].sort((a, b) => b.value - a.value).map((each) => each.name)}
      value={value}
      onChange={onChange}
      allowDeselect={false}
      mb="sm"
      data-autofocus
    />
  )
}

function Outcome({
  items,
  action,
  priority,
}: {
  items: readonly BulkItem[]
  action: BulkAction
  priority: string
}) {
  const { t } = useI18n()
  const count = (...outcomes: string[]) => items.filter((item) => outcomes.includes(item.outcome)).length
  const refused = count('refused', 'not-found')
  const said = [
    t('bulk.would', { n: count('would-do') }),
    count('unchanged') > 0 && t('bulk.unchanged', { n: count('unchanged') }),
    refused > 0 && t('bulk.refused', { n: refused }),
  ].filter(Boolean)
  return (
    <>
      <p className={styles.sum} data-testid="bulk-sum">
        {said.join(t('comma'))}.
      </p>
      <div className={styles.items} tabIndex={0} role="region" aria-label={t('bulk.each')}>
        <PlainTable
          label={t('bulk.each')}
          columns={[
            { header: <T k="job.job" /> },
            { header: <T k="bulk.now" />, width: '1%', narrow: false },
            { header: <T k="bulk.then" /> },
          ]}
          rows={byWeight(items)
            .slice(0, SHOWN)
            .map((item) => ({
              key: String(item.job),
              cells: [
                <span key="j">
                  <span className="mono dimmer">{item.job}</span>{' '}
                  {item.name && <JobLink id={item.job} name={item.name} />}
                </span>,
                item.state && <StateChip key="s" state={item.state} />,
                <span key="t" className={item.outcome === 'would-do' ? undefined : styles.not}>
                  {sayConsequence(action, item, priority, t)}
                </span>,
              ],
            }))}
        />
      </div>
      {items.length > SHOWN && (
        <p className="dimmer small">
          <T k="bulk.more" v={{ n: items.length - SHOWN }} />
        </p>
      )}
    </>
  )
}
