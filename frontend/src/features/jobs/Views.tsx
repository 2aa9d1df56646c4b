import { Button, Group, Menu, Modal, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useChangeViews } from '~/api/actions'
import { viewsQuery, type JobView } from '~/api/queries'
import type { SavedView } from '~/api/types'
import * as address from '~/app/search'
import { T, useI18n, type Key } from '~/i18n'
import { ProblemPanel } from '~/shared/feedback'
import styles from './Views.module.css'

const READY: readonly { name: Key; view: JobView }[] = [
  { name: 'views.waiting', view: { state: ['waiting'] } },
  { name: 'views.mine', view: { user: 'me', state: ['waiting', 'active'] } },
  { name: 'views.failed', view: { user: 'me', state: ['FAILED'] } },
  { name: 'views.teams', view: { group: 'team', state: ['waiting', 'active'] } },
]

/** Named views: some that everybody has, and one's own. */
export function Views({ view, onOpen }: { view: JobView; onOpen: (view: JobView) => void }) {
  const { t } = useI18n()
  const views = useQuery(viewsQuery()).data?.views ?? []
  const [saving, setSaving] = useState(false)
  const change = useChangeViews()
  const now = queryOf(view)
  const named = views.find((each) => each.query === now)
  return (
    <>
      <Menu position="bottom-end" width={260} shadow="md">
        <Menu.Target>
          <Button>{named ? <bdi>{named.name}</bdi> : t('views.title')}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {READY.map((ready) => (
            <Menu.Item key={ready.name} onClick={() => onOpen(ready.view)}>
              {t(ready.name)}
            </Menu.Item>
          ))}
          <Menu.Label>{t('views.own')}</Menu.Label>
          {views.length === 0 && <Menu.Label>{t('views.none')}</Menu.Label>}
          {views.map((each) => (
            <div key={each.name} className={styles.row} role="none">
              <Menu.Item
                onClick={() => onOpen(viewOf(each))}
                aria-current={each === named}
                rightSection={each === named ? '✓' : null}
              >
                <bdi>{each.name}</bdi>
              </Menu.Item>
              <Menu.Item
                closeMenuOnClick={false}
                aria-label={t('views.remove', { name: each.name })}
                onClick={() => change.mutate((old) => old.filter((v) => v.name !== each.name))}
              >
                ✕
              </Menu.Item>
            </div>
          ))}
          <Menu.Divider />
          <Menu.Item onClick={() => setSaving(true)} disabled={now === '' || named !== undefined}>
            {t('views.save')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {saving && <SaveDialog views={views} query={now} onClose={() => setSaving(false)} />}
    </>
  )
}

function SaveDialog({
  views,
  query,
  onClose,
}: {
  views: readonly SavedView[]
  query: string
  onClose: () => void
}) {
  const { t } = useI18n()
  const [name, setName] = useState('')
  const change = useChangeViews()
  const given = name.trim()
  const taken = views.some((each) => each.name === given)
  const save = (event: FormEvent) => {
    event.preventDefault()
    change.mutate(
      (old) => [...old.filter((each) => each.name !== given), { name: given, query }].sort(byName),
      { onSuccess: onClose },
    )
  }
  return (
    <Modal opened onClose={onClose} title={t('views.save')}>
      <form onSubmit={save}>
        <TextInput
          label={t('views.name')}
          description={taken ? t('views.replaces') : t('views.help')}
          value={name}
          onChange={(e) => setName(e.currentTarget.value)}
          maxLength={60}
          data-autofocus
        />
        {change.isError && <ProblemPanel error={change.error} />}
        <Group justify="flex-end" mt="md" gap={8}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="filled" disabled={given === ''} loading={change.isPending}>
            <T k={taken ? 'views.replace' : 'save'} />
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

function byName(a: SavedView, b: SavedView): number {
  return a.name.localeCompare(b.name)
}

function queryOf({ open: _, ...view }: JobView): string {
  return address.write({ ...view }).slice(1)
}

function viewOf(view: SavedView): JobView {
  return address.jobs(address.parse(view.query))
}
