import { useQuery } from '@tanstack/react-query'
import { explanationQuery } from '~/api/queries'
import { T, useI18n } from '~/i18n'
import { Card } from '~/shared/layout'
import { Instant, Since, latestStart } from '~/shared/time'
import styles from './Waiting.module.css'

/** When the job is expected to start, and where that number comes from. */
export function ExpectedStart({ id }: { id: string }) {
  const { t } = useI18n()
  const explanation = useQuery(explanationQuery(id)).data
  if (!explanation?.expectedStart && !explanation?.laterThan) return null
  const { expectedStart, laterThan, startBy } = explanation
  const latest = latestStart(explanation)
  return (
    <Card title={t('waiting.expected')}>
      {expectedStart && (
        <div className={styles.row}>
          <span className={styles.at}>
            <Instant at={expectedStart} />
          </span>
          {latest && (
            <span className="dim">
              <T k="waiting.latest" v={{ at: <Instant at={latest} /> }} />
            </span>
          )}
        </div>
      )}
      <p className="dimmer small">
        {expectedStart ? (
          <T k="waiting.in" v={{ time: <Since at={expectedStart} until /> }} />
        ) : (
          laterThan && <T k="waiting.later" v={{ at: <Instant at={laterThan} /> }} />
        )}
      </p>
      {startBy === 'ends' && (
        <p className="dimmer small">
          <T k="waiting.rough" />
        </p>
      )}
    </Card>
  )
}
