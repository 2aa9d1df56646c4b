import { useQuery } from '@tanstack/react-query'
import { checkpointsQuery } from '~/api/queries'
import type { Resume } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { Card } from '~/shared/layout'
import { PlainTable } from '~/shared/table'
import { Since } from '~/shared/time'
import { sayBytes } from '~/shared/bytes'

const SHOWN = 8

export function Checkpoints({ id, resume }: { id: string; resume: Resume | null }) {
  const { t, number, locale } = useI18n()
  const checkpoints = useQuery(checkpointsQuery(id)).data
  if (!checkpoints) return null
  return (
    <Card
      title={t('checkpoints.title')}
      aside={
        resume && (
          <span className="dim small">
            <T k="checkpoints.resume" v={{ step: number(resume.step) }} />
          </span>
        )
      }
    >
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
