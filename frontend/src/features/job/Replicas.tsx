import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { attemptsQuery } from '~/api/queries'
import type { AttemptView } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { Empty, QueryView } from '~/shared/feedback'
import { Card } from '~/shared/layout'
import { NodeLink, sayDomain } from '~/shared/names'
import { PlainTable } from '~/shared/table'
import { Instant } from '~/shared/time'

/** The replicas of each attempt in rank order, newest attempt first. */
export function Replicas({ id }: { id: string }) {
  const { t } = useI18n()
  const query = useQuery(attemptsQuery(id))
  return (
    <QueryView query={query}>
      {(attempts) =>
        attempts.length === 0 ? (
          <Card>
            <Empty title={t('replicas.none')}>{t('replicas.none.next')}</Empty>
          </Card>
        ) : (
          <div style={{ display: 'grid', gap: 16 }}>
            {attempts.slice(0, 10).map((attempt) => (
              <OfAttempt key={attempt.number} id={id} attempt={attempt} />
            ))}
          </div>
        )
      }
    </QueryView>
  )
}

function OfAttempt({ id, attempt }: { id: string; attempt: AttemptView }) {
  const { t, number } = useI18n()
  const where = [attempt.pool, attempt.domain && sayDomain(attempt.domain), attempt.gpuType]
    .filter(Boolean)
    .join(t('comma'))
  return (
    <Card
      title={t('attempts.one', { n: attempt.number })}
      aside={
        <span className="dim small">
          {where}
          {attempt.backfilled && `${t('comma')}${t('replicas.backfilled')}`}
        </span>
      }
    >
      <PlainTable
        label={t('attempts.one', { n: attempt.number })}
        columns={[
          { header: <T k="replicas.name" /> },
          { header: <T k="replicas.node" /> },
          { header: <T k="job.gpus" />, numeric: true },
          { header: <T k="replicas.phase" /> },
          { header: <T k="replicas.started" />, narrow: false },
          { header: <T k="replicas.message" />, narrow: false },
        ]}
        rows={attempt.replicas.map((r) => ({
          key: r.name,
          cells: [
            <Link
              key="n"
              to="/jobs/$id"
              params={{ id }}
              search={{ tab: 'logs', replica: r.name }}
              className="mono"
            >
              {r.name}
            </Link>,
            <NodeLink key="o" id={r.node} />,
            number(r.gpus),
            <span key="p">
              {t(`phase.${r.phase as 'RUNNING'}`)}
              {attempt.firstFailing === r.name && (
                <>
                  {' '}
                  <b style={{ color: 'var(--fail)' }}>{t('replicas.first')}</b>
                </>
              )}
            </span>,
            r.startedAt ? <Instant key="s" at={r.startedAt} seconds /> : '',
            <span key="m" className="dim">
              {[r.reason, r.exitCode == null ? null : t('outcome.exit', { n: String(r.exitCode) }), r.message]
                .filter(Boolean)
                .join(t('comma'))}
            </span>,
          ],
        }))}
      />
    </Card>
  )
}
