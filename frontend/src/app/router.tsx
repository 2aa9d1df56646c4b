import {
  Outlet,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent as lazy,
  redirect,
} from '@tanstack/react-router'
import type { QueryClient } from '@tanstack/react-query'
import { asProblem } from '~/api/problem'
import { meQuery } from '~/api/queries'
import { SignIn } from '~/features/signin/SignIn'
import { Loading, ProblemPanel } from '~/shared/feedback'
import { Frame } from './Frame'
import { NotFound } from './NotFound'
import * as search from './search'

interface Context {
  client: QueryClient
}

const root = createRootRouteWithContext<Context>()({ component: Outlet, notFoundComponent: NotFound })

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: SignIn,
  validateSearch: search.signIn,
})

const oneTime = createRoute({
  getParentRoute: () => root,
  path: '/one-time/$secret',
  component: lazy(() => import('~/features/account/OneTime'), 'OneTime'),
})

const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  component: Frame,
  notFoundComponent: NotFound,
  beforeLoad: async ({ context, location }) => {
    try {
      await context.client.ensureQueryData(meQuery())
    } catch (error) {
      if (asProblem(error).status !== 401) throw error
      throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { back: location.href } })
    }
  },
})

const under = <const P extends string>(path: P) => ({ getParentRoute: () => frame, path })

const screens = [
  createRoute({ ...under('/'), component: lazy(() => import('~/features/overview/Overview'), 'Overview') }),
  createRoute({
    ...under('/jobs'),
    validateSearch: search.jobs,
    component: lazy(() => import('~/features/jobs/Jobs'), 'Jobs'),
  }),
  createRoute({
    ...under('/jobs/$id'),
    validateSearch: search.job,
    component: lazy(() => import('~/features/job/Job'), 'Job'),
  }),
  createRoute({
    ...under('/submit'),
    validateSearch: search.submit,
    component: lazy(() => import('~/features/submit/Submit'), 'Submit'),
  }),
  createRoute({
    ...under('/cluster'),
    validateSearch: search.cluster,
    component: lazy(() => import('~/features/cluster/Cluster'), 'Cluster'),
  }),
  createRoute({
    ...under('/shares'),
    validateSearch: search.shares,
    component: lazy(() => import('~/features/shares/Shares'), 'Shares'),
  }),
  createRoute({
    ...under('/teams'),
    validateSearch: search.teams,
    component: lazy(() => import('~/features/teams/Teams'), 'Teams'),
  }),
  createRoute({
    ...under('/operations'),
    component: lazy(() => import('~/features/operations/Operations'), 'Operations'),
  }),
  createRoute({ ...under('/people'), component: lazy(() => import('~/features/people/People'), 'People') }),
  createRoute({
    ...under('/account'),
    component: lazy(() => import('~/features/account/Account'), 'Account'),
  }),
] as const

export function makeRouter(client: QueryClient) {
  return createRouter({
    routeTree: root.addChildren([signIn, oneTime, frame.addChildren(screens)]),
    context: { client },
    parseSearch: search.parse,
    stringifySearch: search.write,
    defaultPreload: 'intent',
    defaultPendingComponent: Loading,
    defaultErrorComponent: ({ error, reset }) => <ProblemPanel error={error} retry={reset} />,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
