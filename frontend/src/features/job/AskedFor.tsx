import { useQuery } from '@tanstack/react-query'
import { poolsQuery } from '~/api/queries'
import type { JobDetail } from '~/api/types'
import { T, useI18n, type Key, type Translate } from '~/i18n'
import { Card, Facts } from '~/shared/layout'
import { sayLevel } from '~/shared/reasons'
import { sayCost } from './cost'
import { Duration, sayDuration, secondsOf } from '~/shared/time'

interface Asked {
  image?: string
  command?: string | string[]
  walltime?: string
  preemptible?: boolean
  checkpoint?: { by?: string; grace?: string; every?: string; path?: string }
  topology?: { require?: string; prefer?: string; patience?: string; slices?: Slices }
  gpu?: { types?: string[]; memory?: string }
  resources?: Record<string, unknown>
  groups?: { name?: string; image?: string; command?: string | string[]; slices?: Slices }[]
}

interface Slices {
  size: number
  level: string
}

export function AskedFor({ detail }: { detail: JobDetail }) {
  const { t, number } = useI18n()
  const asked = (detail.effective ?? detail.document ?? {}) as Asked
  const own = asked.groups?.[0]
  const command = asked.command ?? own?.command
  const image = asked.image ?? own?.image
  const topology = [
    asked.topology?.require && t('asked.require', { level: sayLevel(asked.topology.require, t) }),
    asked.topology?.prefer && t('asked.prefer', { level: sayLevel(asked.topology.prefer, t) }),
    ...[asked.topology, ...(asked.groups ?? [])].map(
      (each) =>
        each?.slices && t('asked.slices', { n: each.slices.size, level: sayLevel(each.slices.level, t) }),
    ),
  ].filter(Boolean)
  const cost = sayCost(detail, useQuery(poolsQuery()).data ?? [], t, number)
  const name = (key: Key) => <T key={key} k={key} />
  return (
    <Card title={t('asked.title')}>
      <Facts
        rows={[
          !!image && [name('asked.image'), <Code key="v" text={image} />],
          !!command && [
            name('asked.command'),
            <Code key="v" text={Array.isArray(command) ? command.join(' ') : command} />,
          ],
          asked.gpu?.types && [name('asked.types'), asked.gpu.types.join(', ')],
          topology.length > 0 && [name('asked.topology'), topology.join(t('comma'))],
          detail.walltimeSeconds != null && [
            name('asked.walltime'),
            <Duration key="v" of={detail.walltimeSeconds} />,
          ],
          detail.ranSeconds != null &&
            detail.ranSeconds > 0 && [name('asked.ran'), <Duration key="v" of={detail.ranSeconds} />],
          asked.checkpoint && [name('asked.checkpoint'), sayCheckpoint(asked.checkpoint, t)],
          [name('asked.preemptible'), t(detail.job.preemptible ? 'yes' : 'no')],
          cost !== '' && [name('asked.cost'), cost],
        ]}
      />
    </Card>
  )
}

function Code({ text }: { text: string }) {
  return (
    <bdi className="mono" dir="ltr">
      {text}
    </bdi>
  )
}

function sayCheckpoint(c: NonNullable<Asked['checkpoint']>, t: Translate): string {
  const say = (duration: string) => sayDuration(secondsOf(duration) ?? 0, t)
  return [
    c.by === 'file' ? c.by : c.by?.toUpperCase(),
    c.grace && t('asked.grace', { time: say(c.grace) }),
    c.every && t('asked.every', { time: say(c.every) }),
    c.path && `\u2066${c.path}\u2069`,
  ]
    .filter(Boolean)
    .join(t('comma'))
}
