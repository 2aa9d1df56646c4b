import { Button, Tooltip } from '@mantine/core'
import { usePatchJob } from '~/api/actions'
import type { RemedyView } from '~/api/types'
import { T, useI18n, type Translate } from '~/i18n'
import { Card } from '~/shared/layout'
import { sayLevel, sayLevels } from '~/shared/reasons'
import styles from './Waiting.module.css'

/** Changes that would start the job now, each with its price and a button that makes it. */
export function Remedies({
  id,
  remedies,
  etag,
}: {
  id: number
  remedies: readonly RemedyView[]
  etag: string | null
}) {
  const { t } = useI18n()
  const patch = usePatchJob(id)
  return (
    <Card title={t('waiting.remedies')}>
      <ul className={styles.fixes}>
        {remedies.map((remedy, i) => (
          <li key={i} data-remedy={remedy.kind}>
            <span>
              <Change remedy={remedy} />
            </span>
            <Tooltip label={remedy.needs ?? t('remedy.needsAdmin')} disabled={remedy.allowed}>
              <Button
                disabled={!remedy.allowed}
                loading={patch.isPending && patch.variables.patch === remedy.patch}
                onClick={() => patch.mutate({ patch: remedy.patch, etag })}
              >
                {remedy.allowed ? sayButton(remedy, t) : t('remedy.needsAdmin')}
              </Button>
            </Tooltip>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Change({ remedy }: { remedy: RemedyView }) {
  const { t, number } = useI18n()
  switch (remedy.kind) {
    case 'relax-topology':
      return remedy.domainsUsed && remedy.domainsUsed > 1 ? (
        <T k="remedy.relax" v={{ domains: sayLevels(innerLevel(remedy), remedy.domainsUsed, t) }} />
      ) : (
        <T k="remedy.relax.free" />
      )
    case 'without-slices':
      return <T k="remedy.slices" />
    case 'fewer-replicas':
      return <T k="remedy.fewer" v={{ n: remedy.replicas ?? 0 }} />
    case 'be-elastic':
      return <T k="remedy.elastic" v={{ n: remedy.replicas ?? 0 }} />
    case 'other-pool':
      return <T k="remedy.pool" v={{ pool: remedy.pool, type: remedy.gpuType ?? '' }} />
    case 'raise-priority':
      return (
        <>
          <T k="remedy.priority" v={{ priority: remedy.priority }} />{' '}
          {remedy.victims.length > 0 && (
            <span className="dimmer">
              <T
                k="remedy.priority.price"
                v={{
                  n: remedy.victims.length,
                  hours: number(Math.round((remedy.gpuSecondsLost ?? 0) / 360) / 10),
                }}
              />
            </span>
          )}
        </>
      )
    default:
      return remedy.sentence
  }
}

/** Domains are counted at the level that the job asked for before; the patch names the next one out. */
function innerLevel(remedy: RemedyView): string {
  const levels = ['nvlink', 'rack', 'block', 'zone']
  const at = levels.indexOf(remedy.level ?? '')
  return at > 0 ? (levels[at - 1] ?? 'rack') : 'domain'
}

function sayButton(remedy: RemedyView, t: Translate): string {
  switch (remedy.kind) {
    case 'relax-topology':
      return remedy.level
        ? t('remedy.relax.go', { level: sayLevel(remedy.level, t) })
        : t('remedy.relax.goFree')
    case 'without-slices':
      return t('remedy.slices.go')
    case 'fewer-replicas':
      return t('remedy.fewer.go', { n: remedy.replicas ?? 0 })
    case 'be-elastic':
      return t('remedy.elastic.go', { n: remedy.replicas ?? 0 })
    case 'other-pool':
      return t('remedy.pool.go', { pool: remedy.pool ?? '' })
    default:
      return t('remedy.priority.go', { priority: remedy.priority ?? '' })
  }
}
