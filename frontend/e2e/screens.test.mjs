// Every screen in every look: it draws, nothing goes wrong in the console, nothing is wider than the window; and what
// works by keyboard works by keyboard.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { launch, missing, open, signIn } from './browser.mjs'

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

let browser

before(async () => {
  if (!missing) browser = await launch()
})

after(async () => {
  await browser?.close()
})

describe('screens', { skip: missing }, () => {
  for (const [look, options] of Object.entries({
    light: {},
    dark: { colorScheme: 'dark' },
    phone: { viewport: { width: 390, height: 844 } },
    arabic: { language: 'ar' },
  })) {
    test(`draw, ${look}`, { timeout: 120_000 }, async () => {
      const { language, ...rest } = options
      const { context, page, errors } = await open(browser, rest)
      await signIn(page, USER, PASSWORD)
      if (language) await page.addInitScript((l) => localStorage.setItem('muster-language', l), language)
      for (const path of SCREENS) {
        await page.goto(path)
        await page.locator('h1').first().waitFor()
        await page
          .locator('[role=status][aria-label]')
          .first()
          .waitFor({ state: 'detached', timeout: 15_000 })
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

test('a wrong password is told, and nothing else is', { skip: missing, timeout: 60_000 }, async () => {
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

test('the keyboard is enough', { skip: missing, timeout: 60_000 }, async () => {
  const { context, page } = await open(browser)
  await signIn(page, USER, PASSWORD)
  await page.goto('/jobs')
  await page.locator('h1').waitFor()
  await page.keyboard.press('/')
  assert.equal(
    await page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
    'Find a job, node or team',
  )
  await page.keyboard.press('Escape')
  const row = page.locator('tr[data-row="0"]')
  if ((await row.count()) > 0) {
    await row.focus()
    await page.keyboard.press(' ')
    await page.getByRole('toolbar').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/jobs\/\d+/)
  }
  await context.close()
})

test('signed out, one is asked to sign in again', { skip: missing, timeout: 60_000 }, async () => {
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
