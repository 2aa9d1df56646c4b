// Takes a picture of every screen, light, dark, at 390 px and in Arabic, into test-results/shots.
// MUSTER_URL names the server; MUSTER_USER and MUSTER_PASSWORD sign in. SHOTS=job,map limits it.
import { mkdirSync } from 'node:fs'
import { launch, missing, open, signIn } from './browser.mjs'

if (missing) {
  console.error(missing)
  process.exit(1)
}

const folder = new URL('../test-results/shots/', import.meta.url).pathname
mkdirSync(folder, { recursive: true })
const { MUSTER_USER: user, MUSTER_PASSWORD: password, SHOTS, JOBS = '' } = process.env
const [waiting, running] = JOBS.split(',')

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
        events: `/jobs/${running}?tab=events`,
      }
    : {}),
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
    await page.screenshot({ path: `${folder}${name}-${look}.png`, fullPage: look === 'phone' })
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth + 1)
    if (wide) console.log(`${name}-${look}: wider than the window`)
  }
  if (errors.length > 0) console.log(look, [...new Set(errors)])
  await context.close()
}
await browser.close()
