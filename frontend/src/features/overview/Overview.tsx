import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { overviewQuery } from '~/api/queries'
import type { JobSummary, OverviewView } from '~/api/types'
import { T, useI18n, type Translate } from '~/i18n'
import { Empty, QueryView } from '~/shared/feedback'
import { Card, Columns, PageHead } from '~/shared/layout'
import { ModeNotice } from '~/shared/mode/ModeNotice'
import { MyJobs } from './MyJobs'
import { NeedsMe } from './NeedsMe'
import { Tiles } from './Tiles'

export function Overview() {
  const { t } = useI18n()
  const overview = useQuery(overviewQuery())
  return (
    <>
      <PageHead title={t('nav.overview')} facts={overview.data ? [sayMine(overview.data, t)] : []} />
      <QueryView query={overview} lines={8}>
        {(o) => (
          <>
            <ModeNotice mode={o.mode} />
            <Tiles overview={o} />
            <Columns side={<NeedsMe notices={o.needsMe} mine={o.mine} />}>
              <Card title={t('overview.mine')} aside={<AllMine />}>
                {o.mine.length === 0 ? (
                  <Empty
                    title={t('overview.mine.none')}
                    action={
                      <Link to="/submit" className="nowrap">
                        {t('overview.mine.submit')}
                      </Link>
                    }
                  >
                    {t('overview.mine.none.next')}
                  </Empty>
                ) : (
                  <MyJobs jobs={o.mine} />
                )}
              </Card>
            </Columns>
          </>
        )}
      </QueryView>
    </>
  )
}

function AllMine() {
  return (
    <Link to="/jobs" search={{ user: 'me' }} className="small">
      <T k="overview.mine.all" />
    </Link>
  )
}

/** How one's own jobs stand, in a sentence. */
export function sayMine(overview: OverviewView, t: Translate): string {
  const count = (test: (j: JobSummary) => boolean) => overview.mine.filter(test).length
  const parts = [
    [count((j) => j.state === 'RUNNING' || j.state === 'STARTING'), 'overview.say.runs'] as const,
    [count((j) => j.state === 'QUEUED'), 'overview.say.waits'] as const,
    [count((j) => j.leaving != null && j.endedAt == null), 'overview.say.yields'] as const,
    [count((j) => j.state === 'HELD'), 'overview.say.held'] as const,
    [count((j) => j.state === 'FAILED'), 'overview.say.failed'] as const,
  ]
  const said = parts.filter(([n]) => n > 0).map(([n, key]) => t(key, { n }))
  return said.length === 0 ? t('overview.say.nothing') : said.join('; ')
}
