import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { settingsQuery } from '~/api/queries'
import type { SettingsView, TeamView } from '~/api/types'
import { T, useI18n, type Key } from '~/i18n'
import { QueryView } from '~/shared/feedback'
import { Card, Facts } from '~/shared/layout'
import { SettingsDialog } from './SettingsDialog'
import { Volumes } from './Volumes'
import { NUMBERS, TEXTS, inherited, isOrder, type Setting } from './settings'
import styles from './Teams.module.css'

/** What fills and bounds the jobs of the team where their documents say nothing, and what they may mount. */
export function TeamSettings({
  team,
  mayEdit,
  mayEditVolumes,
}: {
  team: TeamView
  mayEdit: boolean
  mayEditVolumes: boolean
}) {
  const { t } = useI18n()
  const settings = useQuery(settingsQuery(team.id))
  const [editing, setEditing] = useState(false)
  return (
    <>
      <Card
        title={t('settings.title')}
        aside={
          mayEdit &&
          settings.data && (
            <Button
              size="xs"
              onClick={() => setEditing(true)}
              aria-label={t('settings.editOf', { team: team.path })}
            >
              <T k="quotas.edit" />
            </Button>
          )
        }
      >
        <QueryView query={settings}>{(all) => <Shown settings={all} />}</QueryView>
        {editing && settings.data && (
          <SettingsDialog team={team} settings={settings.data} onClose={() => setEditing(false)} />
        )}
      </Card>
      {settings.data && <Volumes team={team} volumes={settings.data.volumes} mayEdit={mayEditVolumes} />}
    </>
  )
}

function Shown({ settings }: { settings: SettingsView }) {
  const { t } = useI18n()
  const { effective } = settings
  const images = effective.imageAllowlist
  return (
    <div className={styles.settings}>
      <Facts
        rows={[
          ...[...TEXTS, ...NUMBERS].map(
            (name) =>
              [
                <T key="k" k={`settings.${name}` as Key} />,
                <Value key="v" settings={settings} name={name} />,
              ] as const,
          ),
          [<T key="k" k="settings.order" />, <OrderInForce key="v" settings={settings} />],
          [
            <T key="k" k="settings.images" />,
            images.length === 0 ? (
              <span className="dimmer">{t('settings.images.any')}</span>
            ) : (
              <bdi key="v" className="mono" dir="ltr">
                {images.join(', ')}
              </bdi>
            ),
          ],
        ]}
      />
    </div>
  )
}

/** Which job goes first; where no team says so, the policy does. */
function OrderInForce({ settings }: { settings: SettingsView }) {
  const { t } = useI18n()
  const order = settings.effective.order
  if (order == null) return <span className="dimmer">{t('settings.order.policy')}</span>
  return (
    <>
      {isOrder(order) ? t(`settings.order.${order}`) : <bdi className="mono">{order}</bdi>}{' '}
      {inherited(settings, 'order') && <span className="dimmer">{t('settings.inherited')}</span>}
    </>
  )
}

function Value({ settings, name }: { settings: SettingsView; name: Setting }) {
  const { t, number } = useI18n()
  const value = settings.effective[name]
  if (value == null) return <span className="dimmer">{t('settings.unset')}</span>
  return (
    <>
      {typeof value === 'number' ? number(value) : <bdi className="mono">{value}</bdi>}{' '}
      {inherited(settings, name) && <span className="dimmer">{t('settings.inherited')}</span>}
    </>
  )
}
