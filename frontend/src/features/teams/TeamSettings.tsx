import { useQuery } from '@tanstack/react-query'
import { settingsQuery } from '~/api/queries'
import type { Defaults, SettingsView, TeamView } from '~/api/types'
import { T, useI18n, type Key } from '~/i18n'
import { Card, Facts } from '~/shared/layout'
import { sayPath } from '~/shared/names'

const SHOWN = [
  'cpusPerGpu',
  'memoryPerGpu',
  'sharedMemory',
  'walltime',
  'maxWalltime',
  'userGpuCap',
  'userQueueCap',
] as const

/** What fills a job of the team where its document says nothing, and what it may mount. */
export function TeamSettings({ team }: { team: TeamView }) {
  const { t } = useI18n()
  const settings = useQuery(settingsQuery(team.id)).data
  if (!settings) return null
  return (
    <Card title={t('settings.title')}>
      <Facts
        rows={[
          ...SHOWN.map((name) => {
            const value = settings.effective[name]
            return value == null
              ? null
              : ([
                  <T key="k" k={`settings.${name}` as Key} />,
                  <Value key="v" value={String(value)} inherited={inherited(settings, name)} />,
                ] as const)
          }),
          settings.effective.imageAllowlist.length > 0 && [
            <T key="k" k="settings.images" />,
            settings.effective.imageAllowlist.join(', '),
          ],
          settings.volumes.length > 0 && [
            <T key="k" k="settings.volumes" />,
            settings.volumes
              .map((v) => `${v.name} (${sayPath(v.team)}${v.readOnly ? `, ${t('form.readOnly')}` : ''})`)
              .join(', '),
          ],
        ]}
      />
    </Card>
  )
}

function inherited(settings: SettingsView, name: keyof Defaults): boolean {
  return settings.own[name] == null
}

function Value({ value, inherited: from }: { value: string; inherited: boolean }) {
  return (
    <>
      <span className="mono">{value}</span>{' '}
      {from && (
        <span className="dimmer">
          <T k="settings.inherited" />
        </span>
      )}
    </>
  )
}
