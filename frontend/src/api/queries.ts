import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { setClusterClock } from '~/shared/time'
import { get, getAll, send } from './client'
import type * as V from './types'

/**
 * Every read of the interface. The first part of a key names what the data is about, so that the event stream can say
 * what is to be read again: `jobs`, `fleet`, `shares`, `mode`, `teams`, `me`.
 */
const MINUTE = 60_000

export const meQuery = () =>
  queryOptions({
    queryKey: ['me'],
    queryFn: async ({ signal }) => {
      const me = await get<V.MeView>('/me', {}, signal)
      setClusterClock(me.clusterNow, me.timeScale)
      return me
    },
    staleTime: MINUTE,
    refetchInterval: 5 * MINUTE,
  })

export const overviewQuery = () =>
  queryOptions({
    queryKey: ['jobs', 'overview'],
    queryFn: ({ signal }) => get<V.OverviewView>('/overview', {}, signal),
  })

/** Filters of the list of jobs, as they stand in the address. */
export interface JobFilter {
  team?: string
  user?: string
  state?: string[]
  priority?: string
  pool?: string
  q?: string
  label?: string
  order?: 'newest' | 'oldest'
}

export const GROUPS = ['team', 'state', 'user', 'priority'] as const
export type GroupBy = (typeof GROUPS)[number]

/** The list as its address says: filters, what it is grouped by, and which groups are open. */
export interface JobView extends JobFilter {
  group?: GroupBy
  open?: string[]
}

const PAGE = 100

/** @param inner false: without the teams inside the one named */
export const jobsQuery = (filter: JobFilter, inner = true) =>
  infiniteQueryOptions({
    queryKey: ['jobs', 'list', filter, inner],
    queryFn: ({ pageParam, signal }) =>
      get<V.Page<V.JobSummary>>(
        '/jobs',
        { ...filter, ...(inner ? {} : { inner }), cursor: pageParam, limit: PAGE },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    placeholderData: keepPreviousData,
  })

/** Counted over all that matches, so it is asked for less often than the page in sight. */
export const groupsQuery = ({ order: _, ...filter }: JobFilter, by: GroupBy) =>
  queryOptions({
    queryKey: ['groups', by, filter],
    queryFn: ({ signal }) => get<V.JobGroup[]>('/jobs/groups', { ...filter, by }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: 5_000,
  })

export const calibrationQuery = (days: number) =>
  queryOptions({
    queryKey: ['calibration', days],
    queryFn: ({ signal }) => get<V.CalibrationView>('/forecasts/calibration', { days }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: MINUTE,
  })

export const viewsQuery = () =>
  queryOptions({
    queryKey: ['views'],
    queryFn: ({ signal }) => get<V.SavedViews>('/me/views', {}, signal),
    staleTime: MINUTE,
  })

export const findJobsQuery = (q: string) =>
  queryOptions({
    queryKey: ['jobs', 'find', q],
    queryFn: ({ signal }) => get<V.Page<V.JobSummary>>('/jobs', { q, limit: 8 }, signal),
    enabled: q.trim() !== '',
    placeholderData: keepPreviousData,
  })

export interface Job {
  detail: V.JobDetail
  etag: string | null
}

const job = (id: string, what: string) => ['jobs', 'one', id, what] as const

export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: job(id, 'detail'),
    queryFn: async ({ signal }): Promise<Job> => {
      const { data, etag } = await send<V.JobDetail>(`/jobs/${id}`, { signal })
      return { detail: data, etag }
    },
  })

export const explanationQuery = (id: string) =>
  queryOptions({
    queryKey: job(id, 'explanation'),
    queryFn: ({ signal }) => get<V.ExplanationView>(`/jobs/${id}/explanation`, {}, signal),
    retry: false,
    refetchInterval: 10_000,
  })

export const jobEventsQuery = (id: string) =>
  queryOptions({
    queryKey: job(id, 'events'),
    queryFn: ({ signal }) => allPages<V.JobEventView>(`/jobs/${id}/events`, 'after', signal),
  })

export const attemptsQuery = (id: string) =>
  queryOptions({
    queryKey: job(id, 'attempts'),
    queryFn: ({ signal }) => get<V.AttemptView[]>(`/jobs/${id}/attempts`, {}, signal),
  })

export const placementQuery = (id: string) =>
  queryOptions({
    queryKey: job(id, 'placement'),
    queryFn: ({ signal }) => get<V.NodeView[]>(`/jobs/${id}/placement`, {}, signal),
  })

export const checkpointsQuery = (id: string) =>
  queryOptions({
    queryKey: job(id, 'checkpoints'),
    queryFn: ({ signal }) => get<V.CheckpointView[]>(`/jobs/${id}/checkpoints`, {}, signal),
  })

/** At most five pages: a history longer than 2,500 events is shown from its beginning. */
async function allPages<T>(path: string, cursor: string, signal: AbortSignal): Promise<T[]> {
  const out: T[] = []
  let after: string | undefined
  for (let page = 0; page < 5; page++) {
    const got = await get<V.Page<T>>(path, { [cursor]: after, limit: 500 }, signal)
    out.push(...got.items)
    if (!got.next) break
    after = got.next
  }
  return out
}

export const poolsQuery = () =>
  queryOptions({
    queryKey: ['fleet', 'pools'],
    queryFn: ({ signal }) => get<V.PoolView[]>('/pools', {}, signal),
  })

export const nodesQuery = (pool?: string) =>
  queryOptions({
    queryKey: ['fleet', 'nodes', pool ?? ''],
    queryFn: ({ signal }) => get<V.NodeView[]>('/nodes', { pool }, signal),
    placeholderData: keepPreviousData,
  })

export const gpuTypesQuery = () =>
  queryOptions({
    queryKey: ['types'],
    queryFn: ({ signal }) => get<V.GpuType[]>('/gpu-types', {}, signal),
    staleTime: MINUTE,
  })

export const sharesQuery = (pool?: string) =>
  queryOptions({
    queryKey: ['shares', 'now', pool ?? ''],
    queryFn: ({ signal }) => get<V.ShareView[]>('/shares', { pool }, signal),
    placeholderData: keepPreviousData,
  })

export const queueQuery = (pool?: string) =>
  queryOptions({
    queryKey: ['shares', 'queue', pool ?? ''],
    queryFn: ({ signal }) => get<V.QueueView[]>('/queue', { pool }, signal),
    placeholderData: keepPreviousData,
  })

export const teamsQuery = () =>
  queryOptions({
    queryKey: ['teams', 'list'],
    queryFn: ({ signal }) => get<V.TeamView[]>('/teams', {}, signal),
    staleTime: MINUTE,
  })

export const membersQuery = (team: string) =>
  queryOptions({
    queryKey: ['teams', 'members', team],
    queryFn: ({ signal }) => getAll<V.MemberView>(`/teams/${team}/members`, signal),
  })

export const prioritiesQuery = () =>
  queryOptions({
    queryKey: ['priorities'],
    queryFn: ({ signal }) => get<V.PriorityClass[]>('/priority-classes', {}, signal),
    staleTime: 5 * MINUTE,
  })

export const settingsQuery = (team: string) =>
  queryOptions({
    queryKey: ['teams', 'settings', team],
    queryFn: ({ signal }) => get<V.SettingsView>(`/teams/${team}/settings`, {}, signal),
    staleTime: MINUTE,
  })

export const modeQuery = () =>
  queryOptions({ queryKey: ['mode'], queryFn: ({ signal }) => get<V.ModeView>('/mode', {}, signal) })

export const tokensQuery = () =>
  queryOptions({ queryKey: ['tokens'], queryFn: ({ signal }) => get<V.TokenView[]>('/tokens', {}, signal) })

export const usersQuery = () =>
  queryOptions({ queryKey: ['users'], queryFn: ({ signal }) => getAll<V.UserView>('/users', signal) })
