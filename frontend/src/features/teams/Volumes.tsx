import { Button, CloseButton, Group, Modal, Switch, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { useWrite } from '~/api/actions'
import { send } from '~/api/client'
import { asProblem } from '~/api/problem'
import type { TeamView, Volume } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { ProblemPanel } from '~/shared/feedback'
import { Card } from '~/shared/layout'
import { sayPath } from '~/shared/names'
import { PlainTable } from '~/shared/table'
import styles from './Teams.module.css'

const NEW: Volume = { name: '', team: '', claim: '', subPath: null, readOnly: false }
const pathOf = (team: TeamView, name: string) => `/teams/${team.id}/volumes/${encodeURIComponent(name)}`

/** What jobs of the team may mount: the team's own, and those of the teams above. */
export function Volumes({
  team,
  volumes,
  mayEdit,
}: {
  team: TeamView
  volumes: readonly Volume[]
  mayEdit: boolean
}) {
  const { t } = useI18n()
  const [editing, setEditing] = useState<Volume | null>(null)
  const [removing, setRemoving] = useState<Volume | null>(null)
  return (
    <Card
      title={t('settings.volumes')}
      aside={
        mayEdit && (
          <Button size="xs" onClick={() => setEditing(NEW)}>
            <T k="volumes.add" />
          </Button>
        )
      }
    >
      {volumes.length === 0 ? (
        <p className="dim">{t(mayEdit ? 'volumes.none.add' : 'volumes.none')}</p>
      ) : (
        <PlainTable
          label={t('settings.volumes')}
          columns={[
            { header: <T k="account.name" /> },
            { header: <T k="volumes.claim" />, narrow: false },
            { header: <T k="volumes.of" /> },
            { header: <T k="volumes.may" />, narrow: false },
            { header: <span className="hidden">{t('volumes.change')}</span> },
          ]}
          rows={volumes.map((volume) => ({
            key: volume.name,
            cells: [
              <bdi key="n" className="mono">
                {volume.name}
              </bdi>,
              <bdi key="c" className="mono dim" dir="ltr">
                {[volume.claim, volume.subPath].filter(Boolean).join('/')}
              </bdi>,
              <bdi key="t" className="dim">
                {sayPath(volume.team)}
              </bdi>,
              <span key="r" className="dim">
                {t(volume.readOnly ? 'form.readOnly' : 'volumes.write')}
              </span>,
              mayEdit && volume.team === team.path && (
                <span key="e" className={styles.actions}>
                  <Button
                    size="xs"
                    onClick={() => setEditing(volume)}
                    aria-label={t('volumes.edit', { name: volume.name })}
                  >
                    <T k="quotas.edit" />
                  </Button>
                  <CloseButton
                    aria-label={t('volumes.remove', { name: volume.name })}
                    onClick={() => setRemoving(volume)}
                  />
                </span>
              ),
            ],
          }))}
        />
      )}
      {editing && <VolumeDialog team={team} volume={editing} onClose={() => setEditing(null)} />}
      {removing && <RemoveDialog team={team} volume={removing} onClose={() => setRemoving(null)} />}
    </Card>
  )
}

function VolumeDialog({ team, volume, onClose }: { team: TeamView; volume: Volume; onClose: () => void }) {
  const { t } = useI18n()
  const [body, setBody] = useState(volume)
  const save = useWrite(
    () =>
      send(pathOf(team, body.name.trim()), {
        method: 'PUT',
        body: { claim: body.claim.trim(), subPath: body.subPath?.trim() || null, readOnly: body.readOnly },
      }),
    [['teams']],
    true,
  )
  const problem = save.isError ? asProblem(save.error) : null
  const errorOf = (field: string) => problem?.errors.find((e) => e.field === field)?.message
  const set = (part: Partial<Volume>) => setBody((old) => ({ ...old, ...part }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(undefined, { onSuccess: onClose })
  }
  const made = volume.name !== ''
  return (
    <Modal
      opened
      onClose={onClose}
      title={
        made ? t('volumes.edit', { name: volume.name }) : t('volumes.addTo', { team: sayPath(team.path) })
      }
    >
      <form onSubmit={submit} className={styles.fields}>
        {!made && (
          <TextInput
            label={t('account.name')}
            description={t('volumes.name.help')}
            value={body.name}
            onChange={(e) => set({ name: e.currentTarget.value })}
            error={errorOf('name')}
            data-autofocus
          />
        )}
        <TextInput
          label={t('volumes.claim')}
          description={t('volumes.claim.help')}
          value={body.claim}
          onChange={(e) => set({ claim: e.currentTarget.value })}
          error={errorOf('claim')}
          data-autofocus={made || undefined}
        />
        <TextInput
          label={t('volumes.subPath')}
          description={t('volumes.subPath.help')}
          value={body.subPath ?? ''}
          onChange={(e) => set({ subPath: e.currentTarget.value })}
          error={errorOf('subPath')}
        />
        <Switch
          label={t('volumes.readOnly')}
          checked={body.readOnly}
          onChange={(e) => set({ readOnly: e.currentTarget.checked })}
        />
        {problem && <ProblemPanel error={problem} hide={['name', 'claim', 'subPath']} />}
        <Group justify="flex-end" gap={8}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            type="submit"
            variant="filled"
            loading={save.isPending}
            disabled={body.name.trim() === '' || body.claim.trim() === ''}
          >
            {t('save')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

function RemoveDialog({ team, volume, onClose }: { team: TeamView; volume: Volume; onClose: () => void }) {
  const { t } = useI18n()
  const remove = useWrite(() => send(pathOf(team, volume.name), { method: 'DELETE' }), [['teams']], true)
  return (
    <Modal opened onClose={onClose} title={t('volumes.remove', { name: volume.name })}>
      <div className={styles.fields}>
        <p>{t('volumes.removeMeans')}</p>
        {remove.isError && <ProblemPanel error={remove.error} />}
        <Group justify="flex-end" gap={8}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            variant="filled"
            color="red"
            loading={remove.isPending}
            onClick={() => remove.mutate(undefined, { onSuccess: onClose })}
          >
            {t('volumes.removeGo')}
          </Button>
        </Group>
      </div>
    </Modal>
  )
}
