// Takes a picture of every screen, light, dark, at 390 px and in Arabic, into test-results/shots.
// MUSTER_URL names the server; MUSTER_USER and MUSTER_PASSWORD sign in. SHOTS=job,map and LOOKS=light limit it; the jobs
// are the largest that waits, one that runs (rather one that came back) and one that failed, or JOBS=<waiting>,<running>.
import { mkdirSync } from 'node:fs'
import { launch, missing, open, signIn } from './browser.mjs'
import { Rest } from './rest.mjs'

if (missing) {
  console.error(missing)
  process.exit(1)
}

const folder = new URL('../test-results/shots/', import.meta.url).pathname
mkdirSync(folder, { recursive: true })
const { MUSTER_USER: user, MUSTER_PASSWORD: password, SHOTS, JOBS } = process.env
const rest = await Rest.signIn(user, password)
const [waiting, running, failed] = JOBS ? JOBS.split(',') : await jobs()

async function jobs() {
  const items = async (state) => (await rest.get(`/jobs?state=${state}&limit=100`)).items
  const first = (list, ...orders) =>
    list.toSorted((a, b) => orders.map((of) => of(b) - of(a)).find((d) => d !== 0) ?? 0)[0]?.id
  return [
    first(await items('queued'), (job) => job.gpus),
    first(
      await items('running'),
      (job) => job.attempt,
      (job) => job.shape[0]?.replicas ?? 1,
    ),
    first(await items('failed')),
  ]
}

const SCREENS = {
  overview: '/',
  jobs: '/jobs',
  submit: '/submit?template=gang',
  cluster: '/cluster',
  shares: '/shares',
  teams: '/teams',
  people: '/people',
  operations: '/operations',
  account: '/account',
  ...(waiting ? { waiting: `/jobs/${waiting}` } : {}),
  ...(running
    ? {
        running: `/jobs/${running}`,
        logs: `/jobs/${running}?tab=logs`,
        replicas: `/jobs/${running}?tab=replicas`,
        checkpoints: `/jobs/${running}?tab=checkpoints`,
        events: `/jobs/${running}?tab=events`,
        document: `/jobs/${running}?tab=document`,
      }
    : {}),
  ...(failed ? { failed: `/jobs/${failed}` } : {}),
}

const LOOKS = {
  light: {},
  dark: { colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, deviceScaleFactor: 1 },
  arabic: { locale: 'ar' },
}

const browser = await launch()
const wanted = SHOTS ? SHOTS.split(',') : Object.keys(SCREENS)
for (const [look, options] of Object.entries(LOOKS)) {
  if (process.env.LOOKS && !process.env.LOOKS.split(',').includes(look)) continue
  const { context, page, errors } = await open(browser, { ...options, locale: 'en-GB' })
  if (user) await signIn(page, user, password)
  if (look === 'arabic') await page.addInitScript(() => localStorage.setItem('muster-language', 'ar'))
  for (const name of wanted) {
    await page.goto(SCREENS[name])
    await page.waitForTimeout(2500)
    await page.screenshot({ path: `${folder}${name}-${look}.png`, fullPage: true })
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth + 1)
    if (wide) console.log(`${name}-${look}: wider than the window`)
  }
  if (errors.length > 0) console.log(look, [...new Set(errors)])
  await context.close()
}
await browser.close()
