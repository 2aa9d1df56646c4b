import { Button, Group, Modal, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBulk } from '~/api/actions'
import { post } from '~/api/client'
import type { BulkItem, BulkResult } from '~/api/types'
import { useI18n } from '~/i18n'
import { Loading, ProblemPanel } from '~/shared/feedback'
import styles from './BulkDialog.module.css'

export type BulkAction = 'cancel' | 'hold' | 'release'

/** Says what would happen to each job before it is done. */
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
  const trial = useQuery({
    queryKey: ['bulk', action, ids],
    queryFn: () => post<BulkResult>('/jobs/bulk', { action, jobs: ids, dryRun: true }),
    gcTime: 0,
  })
  const bulk = useBulk()
  const would = trial.data?.items.filter((item) => item.outcome === 'would-do') ?? []
  const run = () =>
    bulk.mutate(
      { action, jobs: would.map((item) => item.job), why: why.trim() || null, dryRun: false },
      {
        onSuccess: (result) => {
          const n = result.items.filter((item) => item.outcome === 'done').length
          notifications.show({ message: t('bulk.done', { n }) })
          onClose(true)
        },
      },
    )
  return (
    <Modal opened onClose={() => onClose(false)} title={t(`bulk.${action}.title`, { n: ids.length })}>
      {trial.isPending && <Loading lines={2} />}
      {trial.isError && <ProblemPanel error={trial.error} retry={() => void trial.refetch()} />}
      {trial.data && <Outcome items={trial.data.items} />}
      {action !== 'release' && (
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
          {t(`job.${action}`)}
        </Button>
      </Group>
    </Modal>
  )
}

function Outcome({ items }: { items: readonly BulkItem[] }) {
  const { t } = useI18n()
  const count = (...outcomes: string[]) => items.filter((item) => outcomes.includes(item.outcome)).length
  const refused = items.filter((item) => item.outcome === 'refused' || item.outcome === 'not-found')
  const said = [
    t('bulk.would', { n: count('would-do') }),
    count('unchanged') > 0 && t('bulk.unchanged', { n: count('unchanged') }),
    refused.length > 0 && t('bulk.refused', { n: refused.length }),
  ].filter(Boolean)
  return (
    <>
      <p>{said.join(', ')}.</p>
      {refused.length > 0 && (
        <ul className={styles.refused}>
          {refused.slice(0, 20).map((item) => (
            <li key={item.job}>
              <span className="mono">{item.job}</span> {item.detail}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
