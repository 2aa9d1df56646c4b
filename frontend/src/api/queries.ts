import { queryOptions } from '@tanstack/react-query'
import { get } from './client'
import type { Me } from './types'

export const meQuery = () =>
  queryOptions({
    queryKey: ['me'],
    queryFn: ({ signal }) => get<Me>('/me', {}, signal),
    staleTime: 60_000,
    retry: false,
  })

export const queueSizeQuery = () =>
  queryOptions({
    queryKey: ['queue', 'size'],
    queryFn: ({ signal }) => get<number>('/queue/size', {}, signal),
  })
