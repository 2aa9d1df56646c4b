import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createContext, use } from 'react'
import { send } from '~/api/client'
import type { MeView } from '~/api/types'

export const MeContext = createContext<MeView | null>(null)

/** Who is signed in. Only inside the shell, where there always is somebody. */
export function useMe(): MeView {
  const me = use(MeContext)
  if (!me) throw new Error('useMe outside the shell')
  return me
}

export function useSignOut() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => send('/session', { method: 'DELETE' }),
    onSettled: () => {
      client.clear()
      location.assign('/sign-in')
    },
  })
}
