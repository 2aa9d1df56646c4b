import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  redirect,
  Outlet,
} from '@tanstack/react-router'
import type { QueryClient } from '@tanstack/react-query'
import { asProblem } from '~/api/problem'
import { meQuery } from '~/api/queries'
import { SignIn } from '~/features/signin/SignIn'
import { Frame } from './Frame'
import { NotFound } from './NotFound'

interface Context {
  client: QueryClient
}

const root = createRootRouteWithContext<Context>()({ component: Outlet, notFoundComponent: NotFound })

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: SignIn,
  validateSearch: (search): { back?: string } => {
    // Only a path of our own: a link to us must not lead people elsewhere.
    const back = search.back
    return typeof back === 'string' && /^\/(?![/\\])/.test(back) ? { back } : {}
  },
})

const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  component: Frame,
  beforeLoad: async ({ context, location }) => {
    try {
      await context.client.ensureQueryData(meQuery())
    } catch (error) {
      if (asProblem(error).status !== 401) throw error
      throw redirect({ to: '/sign-in', search: { back: location.href } })
    }
  },
})

const screen = <const P extends string>(path: P) =>
  createRoute({ getParentRoute: () => frame, path, component: NotFound })
const screens = [
  screen('/'),
  screen('/jobs'),
  screen('/submit'),
  screen('/cluster'),
  screen('/shares'),
  screen('/teams'),
  screen('/operations'),
  screen('/account'),
] as const

export function makeRouter(client: QueryClient) {
  return createRouter({
    routeTree: root.addChildren([signIn, frame.addChildren(screens)]),
    context: { client },
    defaultPreload: 'intent',
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
