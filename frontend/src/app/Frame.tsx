import { useQuery } from '@tanstack/react-query'
import { meQuery } from '~/api/queries'
import { FirstPassword } from '~/features/account/FirstPassword'
import { Loading, ProblemPanel } from '~/shared/feedback'
import { MeContext } from './session'
import { Shell } from './Shell'

/** The shell, once it is known who is there. */
export function Frame() {
  const me = useQuery(meQuery())
  if (me.data?.mustChangePassword) return <FirstPassword />
  if (me.data) {
    return (
      <MeContext value={me.data}>
        <Shell />
      </MeContext>
    )
  }
  return me.isError ? <ProblemPanel error={me.error} retry={() => void me.refetch()} /> : <Loading />
}
