import { Problem } from './problem'

const ROOT = '/api/v1'
const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

export interface Answer<T> {
  data: T
  etag: string | null
}

export interface Request {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>
  body?: unknown
  /** For documents that are not JSON. */
  contentType?: string
  ifMatch?: string
  idempotencyKey?: string
  signal?: AbortSignal
}

let signedOut: () => void = () => undefined

/** Called when the session has ended on the server. */
export function onSignedOut(listener: () => void): void {
  signedOut = listener
}

/** One request to the REST interface; what is not 2xx is thrown as a Problem. */
export async function send<T>(path: string, request: Request = {}): Promise<Answer<T>> {
  const first = await ask(path, request)
  // A page that lost its cookie, or came without: the refusal brings a new one, and nothing has been done.
  const { response, data } = isWithoutCookie(first) ? await ask(path, request) : first
  if (!response.ok) {
    if (response.status === 401 && path !== '/session' && path !== '/me') signedOut()
    throw Problem.from(response.status, data)
  }
  return { data: data as T, etag: response.headers.get('ETag') }
}

interface Heard {
  response: Response
  data: unknown
}

async function ask(path: string, request: Request): Promise<Heard> {
  const method = request.method ?? 'GET'
  let response: Response
  try {
    response = await fetch(ROOT + path + queryString(request.query), {
      method,
      headers: headers(method, request),
      body: bodyOf(request),
      credentials: 'same-origin',
      signal: request.signal,
    })
  } catch (e) {
    if (e instanceof DOMException && e.name === 'AbortError') throw e
    throw Problem.offline()
  }
  return { response, data: await read(response) }
}

function isWithoutCookie({ response, data }: Heard): boolean {
  return response.status === 403 && Problem.from(403, data).kind === 'csrf'
}

export async function get<T>(path: string, query?: Request['query'], signal?: AbortSignal): Promise<T> {
  return (await send<T>(path, { query, signal })).data
}

/** Every page of a list that a screen shows as a whole, such as the members of a team. */
export async function getAll<T>(path: string, signal?: AbortSignal): Promise<T[]> {
  const items: T[] = []
  let cursor: string | undefined
  do {
    const page = await get<{ items: T[]; next?: string | null }>(path, { limit: 500, cursor }, signal)
    items.push(...page.items)
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
  return items
}

export async function post<T>(path: string, body?: unknown, more: Request = {}): Promise<T> {
  return (await send<T>(path, { ...more, method: 'POST', body: body ?? {} })).data
}

function headers(method: string, request: Request): Headers {
  const out = new Headers({ Accept: 'application/json' })
  if (request.body !== undefined) out.set('Content-Type', request.contentType ?? 'application/json')
  if (request.ifMatch) out.set('If-Match', request.ifMatch)
  if (request.idempotencyKey) out.set('Idempotency-Key', request.idempotencyKey)
  const token = WRITES.has(method) ? cookie('XSRF-TOKEN') : null
  if (token) out.set('X-XSRF-TOKEN', token)
  return out
}

function bodyOf(request: Request): string | undefined {
  if (request.body === undefined) return undefined
  return typeof request.body === 'string' ? request.body : JSON.stringify(request.body)
}

async function read(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text === '') return null
  if (!(response.headers.get('Content-Type') ?? '').includes('json')) return text
  return JSON.parse(text) as unknown
}

export function cookie(name: string): string | null {
  const found = document.cookie.split('; ').find((each) => each.startsWith(`${name}=`))
  return found ? decodeURIComponent(found.slice(name.length + 1)) : null
}

export function queryString(query: Request['query'] = {}): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === '') continue
    if (Array.isArray(value)) for (const each of value as readonly string[]) params.append(name, each)
    else params.set(name, String(value))
  }
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}
