import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { modeQuery } from '~/api/queries'
import type { ModeEntry } from '~/api/types'
import { useMe } from '~/app/session'
import { T, useI18n } from '~/i18n'
import { Empty, QueryView } from '~/shared/feedback'
import { Card, Columns, PageHead } from '~/shared/layout'
import { ModeWords } from '~/shared/mode/ModeNotice'
import { Since } from '~/shared/time'
import { EndDialog, ModeDialog, type Mode } from './ModeDialog'
import { Calibration } from './Calibration'
import styles from './Operations.module.css'

const MODES: Mode[] = ['PAUSED', 'FROZEN', 'SAFE']

/** What people may stop, each with one action and a reason that all can read. */
export function Operations() {
  const { t } = useI18n()
  const me = useMe()
  const mode = useQuery(modeQuery())
  const [asking, setAsking] = useState<Mode | null>(null)
  const [ending, setEnding] = useState<ModeEntry | null>(null)
  return (
    <>
      <PageHead title={t('nav.operations')} facts={[t('operations.sub')]} />
      <Columns>
        <Card title={t('operations.now')}>
          <QueryView query={mode}>
            {({ entries }) =>
              entries.length === 0 ? (
                <Empty title={t('operations.usual')} />
              ) : (
                <ul className={styles.entries}>
                  {entries.map((e) => (
                    <li key={e.id}>
                      <div>
                        <b>
                          <ModeWords mode={e.mode} pool={e.pool} team={e.team} />
                        </b>
                        <p className="dim">
                          <bdi>{e.why}</bdi> <T k="mode.by" v={{ who: e.by, time: <Since at={e.since} /> }} />
                        </p>
                      </div>
                      <Button onClick={() => setEnding(e)}>{t('operations.end')}</Button>
                    </li>
                  ))}
                </ul>
              )
            }
          </QueryView>
        </Card>
        <Card title={t('operations.do')}>
          <ul className={styles.entries}>
            {MODES.filter((each) => me.platformAdmin || each === 'PAUSED').map((each) => (
              <li key={each}>
                <div>
                  <b>{t(`operations.${each}`)}</b>
                  <p className="dim">{t(`operations.${each}.means`)}</p>
                </div>
                <Button onClick={() => setAsking(each)}>{t(`operations.${each}.go`)}</Button>
              </li>
            ))}
          </ul>
        </Card>
        <Calibration />
      </Columns>
      {asking && <ModeDialog mode={asking} onClose={() => setAsking(null)} />}
      {ending && <EndDialog entry={ending} onClose={() => setEnding(null)} />}
    </>
  )
}
