import { useQuery } from '@tanstack/react-query'
import { explanationQuery } from '~/api/queries'
import { T, useI18n } from '~/i18n'
import { Card } from '~/shared/layout'
import { Instant, Since } from '~/shared/time'
import styles from './Waiting.module.css'

export function ExpectedStart({ id }: { id: string }) {
  const { t } = useI18n()
  const explanation = useQuery(explanationQuery(id)).data
  if (!explanation?.expectedStart) return null
  return (
    <Card title={t('waiting.expected')}>
      <div className={styles.row}>
        <span className={styles.at}>
          <Instant at={explanation.expectedStart} />
        </span>
        {explanation.latestStart && (
          <span className="dim">
            <T k="waiting.latest" v={{ at: <Instant at={explanation.latestStart} /> }} />
          </span>
        )}
      </div>
      <p className="dimmer small">
        <T k="waiting.in" v={{ time: <Since at={explanation.expectedStart} until /> }} />
      </p>
    </Card>
  )
}
