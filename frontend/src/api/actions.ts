import { useMutation, useQueryClient } from '@tanstack/react-query'
import { notifications } from '@mantine/notifications'
import { useI18n } from '~/i18n'
import { sayProblem } from '~/shared/feedback/ProblemPanel'
import { post, send } from './client'
import { asProblem } from './problem'
import type * as V from './types'

/** A write: what it touched is read again, and a refusal is told. */
export function useWrite<A, T>(
  run: (args: A) => Promise<T>,
  touched: readonly (readonly unknown[])[],
  quiet = false,
) {
  const client = useQueryClient()
  const { t } = useI18n()
  return useMutation({
    mutationFn: run,
    onSuccess: () => Promise.all(touched.map((queryKey) => client.invalidateQueries({ queryKey }))),
    onError: (error) => {
      if (!quiet) notifications.show({ color: 'red', message: sayProblem(error, t), autoClose: 8000 })
    },
  })
}

const JOBS = [['jobs'], ['groups'], ['shares']] as const

export type JobAction =
  | { do: 'cancel' | 'hold'; why?: string }
  | { do: 'release' | 'checkpoint' }
  | { do: 'priority'; priority: string }
  | { do: 'extend'; by: string }

export const useJobAction = (id: number) =>
  useWrite(({ do: action, ...body }: JobAction) => post<V.JobDetail>(`/jobs/${id}/${action}`, body), JOBS)

export const usePatchJob = (id: number) =>
  useWrite(
    ({ patch, etag }: { patch: unknown; etag: string | null }) =>
      send<V.JobDetail>(`/jobs/${id}`, {
        method: 'PATCH',
        body: patch,
        contentType: 'application/merge-patch+json',
        ifMatch: etag ?? undefined,
      }),
    JOBS,
  )

export const useBulk = () => useWrite((body: V.Bulk) => post<V.BulkResult>('/jobs/bulk', body), JOBS, true)

/** Changes the kept views as they are now; when another window was quicker, once more on what it left. */
export const useChangeViews = () =>
  useWrite(
    async (change: (views: readonly V.SavedView[]) => V.SavedView[]) => {
      for (let again = 0; ; again++) {
        const { data, etag } = await send<V.SavedViews>('/me/views')
        try {
          const body = { views: change(data.views) }
          return await send<V.SavedViews>('/me/views', { method: 'PUT', body, ifMatch: etag ?? undefined })
        } catch (error) {
          if (again > 0 || asProblem(error).status !== 412) throw error
        }
      }
    },
    [['views']],
  )

export const useNodeAction = (id: string) =>
  useWrite(
    ({
      action,
      ...body
    }: { action: 'cordon' | 'uncordon' | 'drain' | 'quarantine' | 'return' | 'confirm-gone' } & Record<
      string,
      unknown
    >) => post<V.NodeView>(`/nodes/${encodeURIComponent(id)}/${action}`, body),
    [['fleet'], ['jobs', 'overview']],
  )
