import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { send } from '~/api/client'
import type { PreviewView } from '~/api/types'
import { read } from './document/document'

/** Asks what would happen, whenever the text has settled. The answer is read again now and then: the fleet moves. */
export function usePreview(text: string) {
  return useQuery({
    queryKey: ['jobs', 'preview', text],
    queryFn: async ({ signal }) => {
      const request = { method: 'POST', body: text, contentType: 'application/yaml', signal } as const
      return (await send<PreviewView>('/jobs/preview', request)).data
    },
    enabled: text.trim() !== '' && read(text).readable,
    placeholderData: keepPreviousData,
    staleTime: 2_000,
    refetchInterval: 15_000,
    gcTime: 60_000,
  })
}
