import { afterEach, expect, test, vi } from 'vitest'
import { post } from './client'

afterEach(() => vi.unstubAllGlobals())

/** A server that refuses writes without the cookie's token and gives the cookie with its refusal. */
function server(gives: boolean) {
  const page = { cookie: '' }
  vi.stubGlobal('document', page)
  const fetched = vi.fn((_: string, { headers }: { headers: Headers }) => {
    if (headers.get('X-XSRF-TOKEN') === 'fresh') return Promise.resolve(Response.json({ done: true }))
    if (gives) page.cookie = 'XSRF-TOKEN=fresh'
    return Promise.resolve(
      Response.json({ type: 'https://muster.dev/problems/csrf', title: 'Forbidden' }, { status: 403 }),
    )
  })
  vi.stubGlobal('fetch', fetched)
  return fetched
}

test('a page without the cookie sends its first write again', async () => {
  const fetched = server(true)
  await expect(post('/session', {})).resolves.toEqual({ done: true })
  expect(fetched).toHaveBeenCalledTimes(2)
})

test('once only', async () => {
  const fetched = server(false)
  await expect(post('/session', {})).rejects.toThrow('Forbidden')
  expect(fetched).toHaveBeenCalledTimes(2)
})
