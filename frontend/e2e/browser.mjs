// Chromium for the browser tests. Where it is missing the tests say what to install and skip.
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

const CANDIDATES = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

export const executablePath = CANDIDATES.find((path) => path && existsSync(path))
export const url = process.env.MUSTER_URL

/** Why the tests cannot run here, or false. */
export const missing = !url
  ? 'set MUSTER_URL to a running server'
  : !executablePath
    ? 'install Chromium (apt-get install chromium) or set CHROMIUM'
    : false

export function launch() {
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-quic', '--disable-background-networking'],
  })
}

/** A page that remembers what went wrong in it: errors of the console, of scripts and of the security policy. */
export async function open(browser, options = {}) {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1360, height: 1000 },
    ...options,
  })
  // Of a busy machine too; a test that waits for what never comes still ends.
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const errors = []
  page.on('pageerror', (error) => errors.push(`script: ${error.message}`))
  page.on('console', (message) => {
    // A refused request is told by the page itself; what matters here is what nobody handles.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      errors.push(message.text())
  })
  return { context, page, errors }
}

export async function signIn(page, username, password) {
  await page.goto('/sign-in')
  await page.getByLabel('User name').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL((to) => !to.pathname.startsWith('/sign-in'))
}
