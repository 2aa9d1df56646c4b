import { useQuery } from '@tanstack/react-query'
import { asProblem } from '~/api/problem'
import { explanationQuery, type Job } from '~/api/queries'
import type { ExplanationView, ReasonView } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { Loading, ProblemPanel } from '~/shared/feedback'
import { Card } from '~/shared/layout'
import { JobLink } from '~/shared/names'
import { Says, gapsOf, sayReason } from '~/shared/reasons'
import { Instant } from '~/shared/time'
import { OtherBlockers } from './OtherBlockers'
import { Remedies } from './Remedies'
import { GapStrips } from './GapStrips'
import styles from './Waiting.module.css'

export function Waiting({ loaded }: { loaded: Job }) {
  const { t } = useI18n()
  const id = String(loaded.detail.job.id)
  const query = useQuery(explanationQuery(id))
  const data = query.data
  if (!data) {
    // Between two states there is nothing to explain; the job itself is about to be read again.
    const gone = query.isError && asProblem(query.error).status === 409
    return (
      <Card title={t('waiting.why')}>
        {query.isError && !gone ? (
          <ProblemPanel error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Headline reason={loaded.detail.job.headline} />
        )}
      </Card>
    )
  }
  return (
    <>
      <Why explanation={data} />
      {data.remedies.length > 0 && (
        <Remedies id={loaded.detail.job.id} remedies={data.remedies} etag={loaded.etag} />
      )}
      {data.reasons.length > 1 && <OtherBlockers reasons={data.reasons.slice(1)} />}
    </>
  )
}

/** What the list knows already, until the whole explanation is here. */
function Headline({ reason }: { reason: ReasonView | null | undefined }) {
  if (!reason) return <Loading lines={2} />
  return (
    <p className={styles.why} data-testid="why">
      <Says sentences={sayReason(reason)} />
    </p>
  )
}

function Why({ explanation }: { explanation: ExplanationView }) {
  const { t } = useI18n()
  const [binding] = explanation.reasons
  if (!binding) return null
  const kept = binding.nodes.filter((node) => node.reserved > 0).length
  return (
    <Card
      title={t('waiting.why')}
      aside={
        <span className="dim small">
          {explanation.place > 0 && (
            <>
              <T k="waiting.place" v={{ n: explanation.place }} />
              <T k="comma" />
            </>
          )}
          <T k="counted" v={{ at: <Instant at={explanation.asOf} seconds /> }} />
        </span>
      }
    >
      <p className={styles.why} data-testid="why">
        <Says sentences={sayReason(binding)} />
      </p>
      {binding.nodes.length > 0 && <GapStrips reason={binding} gaps={gapsOf(binding)} />}
      {kept > 0 && (
        <p className={`dim ${styles.note}`}>
          <T k="waiting.kept" v={{ n: kept }} />
        </p>
      )}
      {explanation.before.length > 0 && (
        <p className={`dim ${styles.note}`}>
          <T k="waiting.before" />{' '}
          {explanation.before.map((id, i) => (
            <span key={id}>
              {i > 0 && <T k="comma" />}
              <JobLink id={id} />
            </span>
          ))}
        </p>
      )}
    </Card>
  )
}
