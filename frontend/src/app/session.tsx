import { useMutation } from '@tanstack/react-query'
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
  return useMutation({
    mutationFn: () => send('/session', { method: 'DELETE' }),
    // A new document: nothing of what was read stays behind.
    onSettled: () => location.assign('/sign-in'),
  })
}
