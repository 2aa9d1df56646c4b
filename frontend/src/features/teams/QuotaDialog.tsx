import { Button, Group, Modal, NumberInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useWrite } from '~/api/actions'
import { send } from '~/api/client'
import { asProblem } from '~/api/problem'
import { teamsQuery } from '~/api/queries'
import type { PoolView, QuotaBody, QuotaView, TeamView } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { Conflict, ProblemPanel } from '~/shared/feedback'
import { sayPath } from '~/shared/names'
import { sayShapes } from './sayShapes'
import { Shapes } from './Shapes'
import styles from './Teams.module.css'

const TOUCHED = [['teams'], ['shares'], ['fleet'], ['jobs']] as const

const SHOWN_AT_FIELDS = [
  'guaranteed',
  'limit',
  'lendable',
  'weight',
  'shapes',
  'shapes.count',
  'shapes.gpus',
  'shapes.level',
]

/** Edits a quota. When somebody else was quicker, their numbers are shown, and nothing is overwritten unseen. */
export function QuotaDialog({
  team,
  pool,
  onClose,
}: {
  team: TeamView
  pool: PoolView
  onClose: () => void
}) {
  const { t } = useI18n()
  const client = useQueryClient()
  const [base, setBase] = useState<QuotaView | undefined>(team.quotas.find((q) => q.pool === pool.id))
  const [body, setBody] = useState<QuotaBody>(() => bodyOf(base))
  const [theirs, setTheirs] = useState<QuotaView | null>(null)
  const save = useWrite(
    (quota: QuotaBody) =>
      send<QuotaView>(`/teams/${team.id}/quotas/${encodeURIComponent(pool.id)}`, {
        method: 'PUT',
        body: quota,
        ifMatch: `"${base?.version ?? 0}"`,
      }),
    TOUCHED,
    true,
  )
  const problem = save.isError ? asProblem(save.error) : null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(body, {
      onSuccess: ({ data }) => {
        if (data.warning) notifications.show({ color: 'yellow', message: data.warning, autoClose: 10_000 })
        onClose()
      },
      onError: (error) => {
        if (asProblem(error).status === 412) void compare()
      },
    })
  }
  const compare = async () => {
    const teams = await client.fetchQuery({ ...teamsQuery(), staleTime: 0 })
    const now = teams.find((each) => each.id === team.id)?.quotas.find((q) => q.pool === pool.id)
    setTheirs(now ?? null)
    setBase(now)
  }
  const errorOf = (field: string) => problem?.errors.find((e) => e.field === field)?.message
  const set = (part: Partial<QuotaBody>) => setBody((old) => ({ ...old, ...part }))
  const orNull = (next: string | number) => (next === '' ? null : Number(next))
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('quotas.dialog', { team: sayPath(team.path), pool: pool.displayName || pool.id })}
    >
      <form onSubmit={submit} className={styles.fields}>
        <p className="dim small">
          <T k="quotas.pool" v={{ n: pool.total }} />
        </p>
        <Amount
          label={t('quotas.guaranteed')}
          help={t('quotas.help.guaranteed')}
          value={body.guaranteed}
          error={errorOf('guaranteed')}
          onChange={(n) => set({ guaranteed: Number(n) })}
          focus
        />
        <Amount
          label={t('quotas.limit')}
          help={t('quotas.help.limit')}
          value={body.limit}
          error={errorOf('limit')}
          onChange={(n) => set({ limit: orNull(n) })}
          none={t('quotas.noLimit')}
        />
        <Amount
          label={t('quotas.lendable')}
          help={t('quotas.help.lendable')}
          value={body.lendable}
          error={errorOf('lendable')}
          onChange={(n) => set({ lendable: orNull(n) })}
          none={t('quotas.all')}
        />
        <Amount
          label={t('quotas.weight')}
          help={t('quotas.help.weight')}
          value={body.weight}
          error={errorOf('weight')}
          onChange={(n) => set({ weight: Number(n) })}
        />
        <Shapes
          shapes={body.shapes ?? []}
          levels={pool.levels}
          errorOf={errorOf}
          onChange={(shapes) => set({ shapes })}
        />
        {problem?.status === 412 ? (
          <Conflict
            onTake={() => {
              setBody(bodyOf(theirs ?? undefined))
              save.reset()
            }}
          >
            {theirs && (
              <p>
                <T
                  k="quotas.theirs"
                  v={{
                    guaranteed: theirs.guaranteed,
                    limit: theirs.limit ?? t('quotas.noLimit'),
                    lendable: theirs.lendable ?? t('quotas.all'),
                    weight: theirs.weight,
                    shapes: sayShapes(theirs.shapes, t) || t('quotas.noShapes'),
                  }}
                />
              </p>
            )}
          </Conflict>
        ) : (
          problem && <ProblemPanel error={problem} hide={SHOWN_AT_FIELDS} />
        )}
        <Group justify="flex-end" gap={8}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="filled" loading={save.isPending}>
            {t(problem?.status === 412 ? 'conflict.mine' : 'save')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

function bodyOf(quota: QuotaView | undefined): QuotaBody {
  if (!quota) return { guaranteed: 0, limit: null, lendable: null, weight: 1, shapes: [] }
  const { guaranteed, limit, lendable, weight, shapes } = quota
  return { guaranteed, limit, lendable, weight, shapes }
}

function Amount({
  label,
  help,
  value,
  error,
  none,
  focus = false,
  onChange,
}: {
  label: string
  help: string
  value: number | null | undefined
  error: string | undefined
  none?: string
  focus?: boolean
  onChange: (next: string | number) => void
}) {
  return (
    <NumberInput
      label={label}
      description={help}
      value={value ?? ''}
      onChange={onChange}
      placeholder={none}
      min={0}
      allowDecimal={false}
      allowNegative={false}
      error={error}
      data-autofocus={focus || undefined}
    />
  )
}
