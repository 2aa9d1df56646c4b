import { useQuery } from '@tanstack/react-query'
import { checkpointsQuery } from '~/api/queries'
import type { JobSummary, Resume } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { Card } from '~/shared/layout'
import { PlainTable } from '~/shared/table'
import { isActive } from '~/shared/state'
import { Since, useNow } from '~/shared/time'
import { sayBytes } from '~/shared/bytes'

const SHOWN = 8

export function Checkpoints({ id, job, resume }: { id: string; job: JobSummary; resume: Resume | null }) {
  const { t, number, locale } = useI18n()
  const checkpoints = useQuery(checkpointsQuery(id)).data
  if (!checkpoints) return null
  return (
    <Card
      title={t('checkpoints.title')}
      aside={
        resume &&
        job.endedAt == null && (
          <span className="dim small">
            <T k="checkpoints.resume" v={{ step: number(resume.step) }} />
          </span>
        )
      }
    >
      {isActive(job.state) && <AtRisk job={job} saved={checkpoints[0]?.at ?? null} />}
      {checkpoints.length === 0 ? (
        <p className="dim">
          <T k="checkpoints.none" />
        </p>
      ) : (
        <PlainTable
          label={t('checkpoints.title')}
          columns={[
            { header: <T k="checkpoints.step" />, numeric: true, width: '1%' },
            { header: <T k="checkpoints.age" /> },
            { header: <T k="checkpoints.size" />, numeric: true, narrow: false },
            { header: <T k="checkpoints.why" />, narrow: false },
            { header: <T k="checkpoints.path" /> },
          ]}
          rows={checkpoints.slice(0, SHOWN).map((c) => ({
            key: String(c.id),
            cells: [
              number(c.step),
              <T key="a" k="ago" v={{ time: <Since at={c.at} /> }} />,
              c.bytes == null ? '' : sayBytes(c.bytes, locale),
              <span key="w" className="dim">
                <T k={c.requested ? 'checkpoints.asked' : 'checkpoints.periodic'} />
              </span>,
              <bdi key="p" className="mono" dir="ltr">
                {c.path}
              </bdi>,
            ],
          }))}
        />
      )}
      {checkpoints.length > SHOWN && (
        <p className="dimmer small">
          <T k="checkpoints.more" v={{ n: checkpoints.length - SHOWN }} />
        </p>
      )}
    </Card>
  )
}

/** What would be done again if it stopped this moment without saving. */
function AtRisk({ job, saved }: { job: JobSummary; saved: string | null }) {
  const { number } = useI18n()
  const now = useNow()
  // A checkpoint of an attempt before this one saves nothing of this one.
  const from = [job.startedAt, saved]
    .filter((at) => at != null)
    .sort()
    .at(-1)
  if (!from || job.gpus === 0) return null
  const hours = (Math.max(0, now - new Date(from).getTime()) / 3_600_000) * job.gpus
  return (
    <p className="dim small gap" data-testid="at-risk">
      <T
        k={saved === from ? 'checkpoints.risk' : 'checkpoints.risk.none'}
        v={{ time: <Since at={from} />, hours: number(Math.round(hours * 100) / 100) }}
      />
    </p>
  )
}
