// The REST interface as a browser would use it, to prepare and to check what the tests do by hand.
import { url } from './browser.mjs'

export class Rest {
  #cookies = new Map()

  static async signIn(username, password) {
    const rest = new Rest()
    await rest.send('GET', '/me', undefined, [200, 401])
    await rest.send('POST', '/session', { username, password })
    return rest
  }

  async send(method, path, body, expected, headers = {}) {
    const token = this.#cookies.get('XSRF-TOKEN')
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        Accept: 'application/json',
        Cookie: [...this.#cookies].map(([k, v]) => `${k}=${v}`).join('; '),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(token ? { 'X-XSRF-TOKEN': token } : {}),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair] = line.split(';')
      const at = pair.indexOf('=')
      this.#cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    const text = await response.text()
    const fine = expected ? expected.includes(response.status) : response.ok
    if (!fine) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }

  cookies() {
    return [...this.#cookies]
  }

  get(path) {
    return this.send('GET', path)
  }
}

/** Waits until `test` gives something true; says what it saw last when it never does. */
export async function until(what, test, seconds = 60) {
  const end = Date.now() + seconds * 1000
  let last
  while (Date.now() < end) {
    last = await test()
    if (last) return last
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  throw new Error(`${what} did not come within ${seconds} s; last seen: ${JSON.stringify(last)}`)
}
