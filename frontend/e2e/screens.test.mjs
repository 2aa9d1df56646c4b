// Every screen in every look: it draws, nothing goes wrong in the console, nothing is wider than the window; and what
// works by keyboard works by keyboard.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { accessible } from './axe.mjs'
import { launch, missing, open, signIn } from './browser.mjs'
import { Rest, until } from './rest.mjs'

const USER = process.env.MUSTER_USER ?? 'admin'
const PASSWORD = process.env.MUSTER_PASSWORD ?? ''
const SCREENS = [
  '/',
  '/jobs',
  '/submit',
  '/cluster',
  '/shares',
  '/teams',
  '/people',
  '/operations',
  '/account',
]

const COLOURS = 10

let browser

before(async () => {
  if (!missing) browser = await launch()
})

after(async () => {
  await browser?.close()
})

/** Loaded, and nothing of it is still on its way. */
async function drawn(page) {
  await page.locator('h1').first().waitFor()
  await page.locator('[role=status][aria-label]').first().waitFor({ state: 'detached', timeout: 60_000 })
}

describe('screens', { skip: missing }, () => {
  for (const [look, options] of Object.entries({
    light: {},
    dark: { colorScheme: 'dark' },
    phone: { viewport: { width: 390, height: 844 } },
    arabic: { language: 'ar' },
  })) {
    test(`draw, ${look}`, { timeout: 300_000 }, async () => {
      const { language, ...rest } = options
      const { context, page, errors } = await open(browser, rest)
      await signIn(page, USER, PASSWORD)
      if (language) await page.addInitScript((l) => localStorage.setItem('muster-language', l), language)
      for (const path of SCREENS) {
        await page.goto(path)
        await drawn(page)
        assert.equal(await page.getByRole('alert').count(), 0, `${path} shows no problem`)
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        assert.ok(over <= 1, `${path} is ${over} px wider than the window`)
      }
      assert.equal(await page.evaluate(() => document.documentElement.dir), language ? 'rtl' : 'ltr')
      if (look === 'dark') {
        const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
        assert.equal(background, 'rgb(13, 17, 23)')
      }
      assert.deepEqual(errors, [])
      await context.close()
    })
  }
})

test(
  'nothing serious is found by axe, in light and in dark',
  { skip: missing, timeout: 900_000 },
  async () => {
    const rest = await Rest.signIn(USER, PASSWORD)
    const first = async (state) =>
      (
        await until(
          `a job that is ${state}`,
          async () => (await rest.get(`/jobs?state=${state}&limit=1`)).items[0],
        )
      ).id
    const running = await first('running')
    const paths = [
      ...SCREENS,
      '/jobs?group=team',
      '/jobs?group=state&open=RUNNING',
      '/submit?template=gang',
      '/cluster?by=health',
      `/jobs/${await first('queued')}`,
      ...['story', 'logs', 'replicas', 'events', 'document'].map((tab) => `/jobs/${running}?tab=${tab}`),
    ]
    for (const colorScheme of ['light', 'dark']) {
      // What fades in would be measured while it is pale.
      const { context, page } = await open(browser, { colorScheme, reducedMotion: 'reduce' })
      await signIn(page, USER, PASSWORD)
      for (const path of paths) {
        await page.goto(path)
        await drawn(page)
        await accessible(page, `${path}, ${colorScheme}`)
      }
      await everyColour(page, running)
      await page.goto('/jobs')
      await page.getByRole('checkbox', { name: 'Select all' }).check()
      await page.getByRole('toolbar').getByRole('button', { name: 'Cancel' }).click()
      await page.getByTestId('bulk-sum').waitFor()
      await accessible(page, `the dry run, ${colorScheme}`)
      await context.close()
    }
  },
)

/** As many replicas that print as there are colours: the sample has fewer. Text bears a colour nowhere else. */
async function everyColour(page, job) {
  const line = (i) => ({ replica: `worker-${i}`, line: 0, at: '2026-03-02T08:00:00Z', text: `step ${i}` })
  await page.route(/\/api\/v1\/jobs\/\d+\/logs/, (route) =>
    route.fulfill({ json: { lines: Array.from({ length: COLOURS }, (_, i) => line(i)), dropped: 0 } }),
  )
  await page.goto(`/jobs/${job}?tab=logs`)
  await page.getByTestId('log').waitFor()
  const inks = await page
    .getByTestId('log')
    .locator('[style*="--replica"]')
    .evaluateAll((names) => [...new Set(names.map((name) => getComputedStyle(name).color))])
  assert.equal(inks.length, COLOURS, 'a colour for each replica')
  await accessible(page, 'the output of ten replicas')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
}

test('the list of jobs stays a list when it is long', { skip: missing, timeout: 180_000 }, async () => {
  const { context, page } = await open(browser)
  await signIn(page, USER, PASSWORD)
  let asked = 0
  await endless(page, () => asked++)
  await page.goto('/jobs')
  await page.locator('tr[data-row="0"]').waitFor()
  const scroller = page.getByTestId('rows')
  await until('many pages', async () => {
    await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    return asked >= 12
  })
  const drawn = await page.locator('tr[data-row]').count()
  assert.ok(drawn < 80, `${drawn} rows are drawn of ${asked * 100}`)
  await context.close()
})

/** A list that never ends and never moves, a page at a time as the server would give it. */
async function endless(page, asked = () => {}) {
  const rows = Array.from({ length: 2_000 }, (_, i) => job(100_000 - i))
  await page.route(/\/api\/v1\/jobs\?/, async (route) => {
    const from = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0)
    asked()
    await route.fulfill({ json: { items: rows.slice(from, from + 100), next: String(from + 100) } })
  })
}

function job(id) {
  return {
    id,
    name: `job-${id}`,
    team: 'research/vision',
    submittedBy: 'ada',
    state: 'SUCCEEDED',
    priority: 'normal',
    preemptible: true,
    gpus: 8,
    replicas: 1,
    shape: [{ group: 'worker', replicas: 1, gpusEach: 8 }],
    attempt: 1,
    submittedAt: '2026-03-02T08:00:00Z',
    startedAt: '2026-03-02T08:00:10Z',
    endedAt: '2026-03-02T09:00:00Z',
    labels: {},
    mayAct: true,
  }
}

test('a wrong password is told, and nothing else is', { skip: missing, timeout: 180_000 }, async () => {
  const { context, page } = await open(browser)
  await page.goto('/jobs?state=waiting')
  await page.waitForURL(/sign-in/)
  await page.getByLabel('User name').fill('nobody-of-that-name')
  await page.getByLabel('Password', { exact: true }).fill('wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('User name and password do not match.').waitFor()
  // After a good sign-in one is where one wanted to go.
  await page.getByLabel('User name').fill(USER)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/jobs\?state=waiting/)
  await context.close()
})

test('the keyboard is enough', { skip: missing, timeout: 180_000 }, async () => {
  const { context, page } = await open(browser)
  await signIn(page, USER, PASSWORD)
  await endless(page)
  await page.goto('/jobs')
  await page.locator('h1').waitFor()
  await page.keyboard.press('/')
  assert.equal(
    await page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
    'Find a job, node or team',
  )
  await page.keyboard.press('Escape')
  await page.locator('tr[data-row="0"]').focus()
  await page.keyboard.press(' ')
  await page.getByRole('toolbar').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/jobs\/100000/)
  // The editor lets go of the focus: Tab does not indent.
  await page.goto('/submit')
  const yaml = page.getByLabel('The job as YAML')
  await yaml.click()
  // Who writes a path keeps the key that else goes to the search.
  await page.keyboard.press('Control+End')
  await page.keyboard.type('workdir: /a/b')
  assert.match(await yaml.innerText(), /workdir: \/a\/b/)
  await page.keyboard.press('Tab')
  assert.equal(await yaml.evaluate((element) => element.contains(document.activeElement)), false)
  await context.close()
})

test('signed out, one is asked to sign in again', { skip: missing, timeout: 180_000 }, async () => {
  const { context, page } = await open(browser)
  await signIn(page, USER, PASSWORD)
  await page.getByRole('button', { name: 'Your menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  // The page is loaded anew, without a way back; a request that fails on the way may show sign-in before that.
  await page.waitForURL((to) => to.pathname === '/sign-in' && to.search === '')
  await page.goto('/')
  await page.waitForURL(/sign-in/)
  await context.close()
})
