import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useMemo, useState, type ReactNode } from 'react'
import { onSignedOut } from '~/api/client'
import { asProblem } from '~/api/problem'
import { I18nProvider, useI18n } from '~/i18n'
import { colorSchemeManager, themeIn } from '~/theme/mantine'
import { makeRouter } from './router'

function makeClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // A "no" of the server stays a no; only what may be a passing trouble is tried again.
        retry: (count, error) => {
          const { status } = asProblem(error)
          return count < 2 && (status === 0 || status >= 500)
        },
      },
    },
  })
}

export function App() {
  const [{ client, router }] = useState(() => {
    const client = makeClient()
    const router = makeRouter(client)
    onSignedOut(() => {
      client.clear()
      const back = router.state.location.href
      if (!back.startsWith('/sign-in')) void router.navigate({ to: '/sign-in', search: { back } })
    })
    return { client, router }
  })
  return (
    <I18nProvider>
      <Look>
        <QueryClientProvider client={client}>
          <Notifications position="bottom-right" limit={4} />
          <RouterProvider router={router} />
        </QueryClientProvider>
      </Look>
    </I18nProvider>
  )
}

function Look({ children }: { children: ReactNode }) {
  const { t } = useI18n()
  const close = t('close')
  const themed = useMemo(() => themeIn(close), [close])
  return (
    // Variables and classes are in tokens.css: a style element would break the content security policy.
    <MantineProvider
      theme={themed}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      {children}
    </MantineProvider>
  )
}
