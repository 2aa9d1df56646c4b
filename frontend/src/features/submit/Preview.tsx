import type { UseQueryResult } from '@tanstack/react-query'
import { asProblem } from '~/api/problem'
import type { PreviewView } from '~/api/types'
import { T, useI18n, type Translate } from '~/i18n'
import { Loading, ProblemPanel } from '~/shared/feedback'
import { NodeBox, NodeBoxes, cellsOfPlace } from '~/shared/gpu'
import { Card, Facts } from '~/shared/layout'
import { JobLink, sayDomain } from '~/shared/names'
import { Says, sayReason } from '~/shared/reasons'
import { useTeamColours } from '~/shared/teams'
import { Instant, latestStart, parseDuration } from '~/shared/time'
import { GapStrips } from '../job/waiting/GapStrips'
import { gapsOf } from '~/shared/reasons'
import type { JobDocument } from './document/document'
import styles from './Submit.module.css'

/** What would happen if it were submitted now. */
export function Preview({
  preview,
  stale,
  doc,
}: {
  preview: UseQueryResult<PreviewView>
  stale: boolean
  doc: JobDocument
}) {
  const { t } = useI18n()
  return (
    <Card title={t('preview.title')} aside={stale || preview.isFetching ? <Busy /> : null}>
      <div
        aria-live="polite"
        data-testid="preview"
        data-stale={stale || preview.isPlaceholderData || undefined}
      >
        {!doc.readable ? (
          <p className="dim">{t('preview.unreadable')}</p>
        ) : preview.isError ? (
          <Refused error={preview.error} />
        ) : preview.data ? (
          <Outlook of={preview.data} team={textOf(doc.value.team)} walltime={textOf(doc.value.walltime)} />
        ) : (
          <Loading lines={3} />
        )}
      </div>
    </Card>
  )
}

function Busy() {
  return (
    <span className="dimmer small">
      <T k="preview.asking" />
    </span>
  )
}

function Refused({ error }: { error: Error }) {
  const { t } = useI18n()
  const problem = asProblem(error)
  const [binding] = problem.reasons
  const missing = problem.errors.filter((e) => e.code === 'required')
  // What is not written yet is no mistake.
  if (missing.length > 0 && missing.length === problem.errors.length) {
    return (
      <p className="dim">
        <T
          k="preview.missing"
          v={{ n: missing.length, fields: missing.map((e) => e.field).join(t('comma')) }}
        />
      </p>
    )
  }
  return (
    <>
      <ProblemPanel error={problem} />
      {binding && (
        <p className={styles.sentence}>
          <Says sentences={sayReason(binding)} />
        </p>
      )}
    </>
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Without a pool there is no price yet, but there are hours. */
function sayHours(gpus: number, walltime: string, t: Translate): string {
  const seconds = parseDuration(walltime)
  if (seconds === null) return t('preview.cost.unknown')
  return t('asked.most', { hours: t('asked.gpuHours', { n: Math.round((gpus * seconds) / 360) / 10 }) })
}

function Outlook({ of, team, walltime }: { of: PreviewView; team: string; walltime: string }) {
  const { t, number } = useI18n()
  const [binding, ...others] = of.reasons
  const latest = latestStart(of)
  return (
    <div className={styles.outlook}>
      <p className={styles.verdict} data-outcome={of.outcome}>
        <T k={`preview.${of.outcome}`} />
      </p>
      {binding && (
        <p className={styles.sentence}>
          <Says sentences={sayReason(binding)} />
        </p>
      )}
      {binding && binding.nodes.length > 0 && <GapStrips reason={binding} gaps={gapsOf(binding)} />}
      {others.length > 0 && (
        <p className="dim small">
          <T k="preview.others" v={{ n: others.length }} />
        </p>
      )}
      {of.places.length > 0 && <Places of={of} team={team} />}
      {of.victims.length > 0 && <Victims of={of} />}
      <Facts
        rows={[
          [<T key="k" k="job.gpus" />, number(of.gpus)],
          of.replicas != null && [<T key="k" k="form.replicas" />, number(of.replicas)],
          of.pool != null && [
            <T key="k" k="job.pool" />,
            [of.pool, of.gpuType].filter(Boolean).join(t('comma')),
          ],
          of.domain != null &&
            of.domain !== '' && [<T key="k" k="preview.where" />, <bdi key="v">{sayDomain(of.domain)}</bdi>],
          of.expectedStart != null &&
            of.outcome !== 'starts-now' && [
              <T key="k" k="preview.start" />,
              <T key="v" k="preview.about" v={{ at: <Instant at={of.expectedStart} /> }} />,
            ],
          latest != null &&
            of.outcome !== 'starts-now' && [
              <T key="k" k="preview.latest" />,
              <T key="v" k="preview.before" v={{ at: <Instant at={latest} /> }} />,
            ],
          of.place > 0 && of.outcome === 'waits' && [<T key="k" k="preview.place" />, number(of.place)],
          [
            <T key="k" k="preview.cost" />,
            of.costMicros == null
              ? sayHours(of.gpus, walltime, t)
              : t('preview.cost.upTo', {
                  amount: number(Math.round(of.costMicros / 10_000) / 100),
                  currency: of.currency,
                }),
          ],
        ]}
      />
      {of.startBy === 'ends' && of.outcome !== 'starts-now' && (
        <p className="dimmer small">
          <T k="preview.rough" />
        </p>
      )}
    </div>
  )
}

function Places({ of, team }: { of: PreviewView; team: string }) {
  const colour = useTeamColours()
  return (
    <NodeBoxes>
      {of.places.slice(0, 8).map((place) => (
        <NodeBox
          key={place.node}
          name={place.node}
          note={<T k="placement.gpus" v={{ n: place.gpus, total: place.total }} />}
          tone="ok"
          cells={cellsOfPlace(place, colour(team))}
        />
      ))}
    </NodeBoxes>
  )
}

function Victims({ of }: { of: PreviewView }) {
  const { number } = useI18n()
  return (
    <div>
      <p>
        <T
          k="preview.yield"
          v={{ n: of.victims.length, hours: number(Math.round((of.gpuSecondsLost ?? 0) / 36) / 100) }}
        />
      </p>
      <ul className={styles.victims}>
        {of.victims.slice(0, 6).map((v) => (
          <li key={v.job}>
            <JobLink id={v.job} name={v.name} team={v.team} />{' '}
            <span className="dimmer">
              <T k="gpus" v={{ n: v.gpus }} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
