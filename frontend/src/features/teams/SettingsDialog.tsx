import { Button, Group, Modal, NumberInput, Select, TagsInput, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useWrite } from '~/api/actions'
import { send } from '~/api/client'
import { asProblem } from '~/api/problem'
import { settingsQuery } from '~/api/queries'
import type { Defaults, SettingsView, TeamView } from '~/api/types'
import { useI18n, type Key } from '~/i18n'
import { Conflict, ProblemPanel } from '~/shared/feedback'
import { Facts } from '~/shared/layout'
import { sayPath } from '~/shared/names'
import { EXAMPLES, NUMBERS, ORDERS, TEXTS, cleaned, differing, type Setting } from './settings'
import styles from './Teams.module.css'

/** Edits what the team says itself; blank fields leave the word to the teams above, whose values are shown in them. */
export function SettingsDialog({
  team,
  settings,
  onClose,
}: {
  team: TeamView
  settings: SettingsView
  onClose: () => void
}) {
  const { t } = useI18n()
  const client = useQueryClient()
  const [base, setBase] = useState(settings)
  const [body, setBody] = useState<Defaults>(settings.own)
  const [theirs, setTheirs] = useState<SettingsView | null>(null)
  const save = useWrite(
    (next: Defaults) =>
      send<SettingsView>(`/teams/${team.id}/settings`, {
        method: 'PUT',
        body: next,
        ifMatch: `"${base.version}"`,
      }),
    [['teams']],
    true,
  )
  const problem = save.isError ? asProblem(save.error) : null
  const compare = async () => {
    const now = await client.fetchQuery({ ...settingsQuery(team.id), staleTime: 0 })
    setTheirs(now)
    setBase(now)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(cleaned(body), {
      onSuccess: onClose,
      onError: (error) => {
        if (asProblem(error).status === 412) void compare()
      },
    })
  }
  const set = (part: Partial<Defaults>) => setBody((old) => ({ ...old, ...part }))
  const errorOf = (field: string) =>
    problem?.errors.find((e) => e.field === field || e.field.startsWith(`${field}[`))?.message
  const above = (name: Setting) => {
    const value = base.own[name] == null ? base.effective[name] : null
    return value == null ? t('settings.example', { value: EXAMPLES[name] }) : t('settings.above', { value })
  }
  const conflict = problem?.status === 412
  return (
    <Modal opened onClose={onClose} title={t('settings.dialog', { team: sayPath(team.path) })} size={560}>
      <form onSubmit={submit} className={styles.fields}>
        <p className="dim">{t('settings.means')}</p>
        <div className={styles.pairs}>
          {TEXTS.map((name) => (
            <TextInput
              key={name}
              label={t(`settings.${name}` as Key)}
              placeholder={above(name)}
              value={body[name] ?? ''}
              onChange={(e) => set({ [name]: e.currentTarget.value })}
              error={errorOf(name)}
              name={name}
            />
          ))}
          {NUMBERS.map((name) => (
            <NumberInput
              key={name}
              label={t(`settings.${name}` as Key)}
              placeholder={above(name)}
              value={body[name] ?? ''}
              onChange={(next) => set({ [name]: next === '' ? null : Number(next) })}
              error={errorOf(name)}
              name={name}
              min={1}
              allowDecimal={false}
              allowNegative={false}
              clampBehavior="none"
            />
          ))}
        </div>
        <Select
          label={t('settings.order')}
          description={t('settings.order.help')}
          placeholder={t('settings.order.policy')}
          data={ORDERS.map((value) => ({ value, label: t(`settings.order.${value}`) }))}
          value={body.order ?? null}
          onChange={(order) => set({ order })}
          error={errorOf('order')}
          name="order"
          clearable
        />
        <TagsInput
          label={t('settings.images')}
          description={t('settings.images.help')}
          placeholder={body.imageAllowlist.length === 0 ? 'registry.example/vision' : undefined}
          value={body.imageAllowlist}
          onChange={(imageAllowlist) => set({ imageAllowlist })}
          error={errorOf('imageAllowlist')}
          splitChars={[',', ' ']}
          acceptValueOnBlur
        />
        {conflict ? (
          <Conflict
            onTake={() => {
              setBody(theirs?.own ?? body)
              save.reset()
            }}
          >
            {theirs && <Theirs mine={cleaned(body)} theirs={theirs.own} />}
          </Conflict>
        ) : (
          problem && <ProblemPanel error={problem} hide={[...TEXTS, ...NUMBERS, 'order', 'imageAllowlist']} />
        )}
        <Group justify="flex-end" gap={8}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="filled" loading={save.isPending} disabled={conflict && !theirs}>
            {t(conflict ? 'conflict.mine' : 'save')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

/** Where the other one's differ from what is in the form. */
function Theirs({ mine, theirs }: { mine: Defaults; theirs: Defaults }) {
  const { t } = useI18n()
  const names = differing(mine, theirs)
  if (names.length === 0) return <p>{t('settings.same')}</p>
  return (
    <Facts
      rows={names.map((name) =>
        name === 'imageAllowlist'
          ? [t('settings.images'), theirs.imageAllowlist.join(', ') || t('settings.unset')]
          : [t(`settings.${name}` as Key), String(theirs[name] ?? t('settings.unset'))],
      )}
    />
  )
}
