import { Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { jobQuery, type Job as Loaded } from '~/api/queries'
import type { JobSummary } from '~/api/types'
import type { JobTab } from '~/app/search'
import { T, useI18n, type Translate } from '~/i18n'
import { QueryView } from '~/shared/feedback'
import { JobState } from '~/shared/job'
import { PageHead } from '~/shared/layout'
import { TeamName, sayShape } from '~/shared/names'
import { sayLevel } from '~/shared/reasons'
import { Instant } from '~/shared/time'
import { DocumentTab } from './DocumentTab'
import { Events } from './Events'
import { JobActions } from './JobActions'
import { Logs } from './logs/Logs'
import { Replicas } from './Replicas'
import { Story } from './Story'
import styles from './Job.module.css'

const TABS: JobTab[] = ['story', 'logs', 'replicas', 'events', 'document']

export function Job() {
  const { id } = useParams({ from: '/frame/jobs/$id' })
  const query = useQuery(jobQuery(id))
  return (
    <QueryView query={query} lines={8}>
      {(loaded) => <Loaded key={id} loaded={loaded} />}
    </QueryView>
  )
}

function Loaded({ loaded }: { loaded: Loaded }) {
  const { t } = useI18n()
  const { tab = 'story' } = useSearch({ from: '/frame/jobs/$id' })
  const navigate = useNavigate({ from: '/jobs/$id' })
  const { job } = loaded.detail
  // Everything but the numbers is the team's own.
  const mine = loaded.detail.revision != null
  const tabs = loaded.detail.document == null ? TABS.filter((each) => each !== 'document') : TABS
  return (
    <>
      <PageHead
        title={<bdi>{job.name ?? t('job.unnamed', { id: String(job.id) })}</bdi>}
        documentTitle={`${job.id} ${job.name ?? ''}`}
        chip={<JobState job={job} ticking />}
        facts={facts(loaded, t)}
        actions={mine && <JobActions loaded={loaded} />}
      />
      {mine ? (
        <Tabs
          value={tab}
          onChange={(next) =>
            void navigate({ search: (old) => ({ ...old, tab: next as JobTab }), replace: true })
          }
          keepMounted={false}
        >
          <Tabs.List mb="md" className={styles.tabs}>
            {tabs.map((each) => (
              <Tabs.Tab key={each} value={each}>
                {t(`job.tab.${each}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="story">
            <Story loaded={loaded} />
          </Tabs.Panel>
          <Tabs.Panel value="logs">
            <Logs job={job} />
          </Tabs.Panel>
          <Tabs.Panel value="replicas">
            <Replicas id={String(job.id)} />
          </Tabs.Panel>
          <Tabs.Panel value="events">
            <Events id={String(job.id)} />
          </Tabs.Panel>
          <Tabs.Panel value="document">
            {loaded.detail.document != null && <DocumentTab detail={loaded.detail} />}
          </Tabs.Panel>
        </Tabs>
      ) : (
        <Story loaded={loaded} />
      )}
    </>
  )
}

/** Of an elastic job: how many of its replicas it has now, or can work with. */
function size(job: JobSummary) {
  if (job.minReplicas == null) return []
  const v = { n: job.replicasNow ?? 0, all: job.replicas, min: job.minReplicas }
  return [<T key="size" k={job.replicasNow == null ? 'job.fact.elastic' : 'job.fact.size'} v={v} />]
}

function facts({ detail }: Loaded, t: Translate) {
  const { job } = detail
  const topology = (detail.effective ?? detail.document)?.topology as
    { require?: string; prefer?: string } | undefined
  const level = topology?.require ?? topology?.prefer
  return [
    <bdi key="id" className="mono">
      {job.id}
    </bdi>,
    <Link key="team" to="/jobs" search={{ team: job.team }} className="dim">
      <TeamName path={job.team} />
    </Link>,
    <bdi key="shape">
      {sayShape(job.shape)} {job.gpuType ?? t('job.gpus')}
      {level && `${t('comma')}${t('asked.require', { level: sayLevel(level, t) })}`}
    </bdi>,
    ...size(job),
    <T key="priority" k="job.fact.priority" v={{ priority: job.priority }} />,
    <T
      key="submitted"
      k={job.submittedBy ? 'job.fact.submittedBy' : 'job.fact.submitted'}
      v={{ at: <Instant at={job.submittedAt} />, who: job.submittedBy ?? '' }}
    />,
    ...(job.attempt > 1 ? [<T key="attempt" k="job.fact.attempt" v={{ n: job.attempt }} />] : []),
  ]
}
