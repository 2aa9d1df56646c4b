import type { Job } from '~/api/queries'
import { Columns } from '~/shared/layout'
import { isActive, isTerminal } from '~/shared/state'
import { AskedFor } from './AskedFor'
import { Attempts } from './Attempts'
import { Checkpoints } from './Checkpoints'
import { Outcome } from './Outcome'
import { Placement } from './Placement'
import { PreemptionStory } from './PreemptionStory'
import { Progress } from './Progress'
import { TeamShare } from './TeamShare'
import { Timeline } from './Timeline'
import { ExpectedStart } from './waiting/ExpectedStart'
import { Waiting } from './waiting/Waiting'

/** What happened to a job, what happens now, and why; the answer to the likeliest question comes first. */
export function Story({ loaded }: { loaded: Job }) {
  const { detail } = loaded
  const { job } = detail
  const mine = detail.document != null
  const waits = job.state === 'QUEUED' || job.state === 'HELD'
  const id = String(job.id)
  return (
    <Columns
      side={
        <>
          {waits && <ExpectedStart id={id} />}
          <TeamShare team={job.team} pool={job.pool ?? job.headline?.pool ?? null} />
          {mine && <AskedFor detail={detail} />}
        </>
      }
    >
      {waits && <Waiting loaded={loaded} />}
      {isTerminal(job.state) && <Outcome detail={detail} />}
      {mine && isActive(job.state) && <Progress job={job} />}
      {mine && job.attempt > 0 && <PreemptionStory id={id} />}
      {isActive(job.state) && <Placement id={id} job={job} />}
      <Timeline id={id} job={job} mine={mine} />
      {mine && job.attempt > 0 && <Attempts id={id} />}
      {mine && job.attempt > 0 && <Checkpoints id={id} job={job} resume={detail.resume ?? null} />}
    </Columns>
  )
}
