// A researcher and an administrator in a real browser: submit a gang, see why it waits, edit the quota that holds it
// back, see it run, read its output, cancel it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { launch, missing, open, signIn } from './browser.mjs'
import { Rest, until } from './rest.mjs'

const USER = process.env.MUSTER_USER ?? 'admin'
const PASSWORD = process.env.MUSTER_PASSWORD ?? ''
const TEAM = `e2e-${Date.now().toString(36)}`

const shots = new URL('../test-results/', import.meta.url).pathname

let browser
let rest
let pool
let team

before(async () => {
  if (missing) return
  browser = await launch()
  rest = await Rest.signIn(USER, PASSWORD)
  const pools = await rest.get('/pools')
  // The pool with the most room, so that what keeps the gang waiting is its quota and nothing else.
  pool = pools.filter((p) => p.total >= 16).sort((a, b) => b.free - a.free)[0]
  team = await rest.send('POST', '/teams', { parent: null, name: TEAM, displayName: TEAM })
  const quota = { guaranteed: 8, limit: 8, lendable: null, weight: 1 }
  await rest.send('PUT', `/teams/${team.id}/quotas/${pool.id}`, quota, undefined, { 'If-Match': '"0"' })
})

after(async () => {
  await browser?.close()
  // What the test made is put away; a job of it that still stops keeps the team until it has.
  if (team) await rest.send('POST', `/teams/${team.id}/archive`, {}, [200, 204, 409])
})

test(
  'a gang waits for its quota, the quota is edited, the gang runs',
  { skip: missing, timeout: 900_000 },
  async (t) => {
    const { page, errors } = await open(browser)
    await signIn(page, USER, PASSWORD)
    let id
    let broken = false
    // Each step stands on the one before it.
    const step = (name, work) =>
      t.test(name, { skip: broken && 'a step before it failed' }, async () => {
        try {
          await work()
        } catch (e) {
          broken = true
          await page.screenshot({ path: `${shots}story-failed.png` })
          throw e
        }
      })

    await step('the form and the text are one document', async () => {
      await page.goto('/submit?template=gang')
      const yaml = page.getByLabel('The job as YAML')
      await yaml.waitFor()
      await page.getByLabel('Name', { exact: true }).fill('gang-by-hand')
      await page.getByLabel('Replicas', { exact: true }).fill('2')
      await page.getByRole('combobox', { name: 'Team' }).click()
      await page.getByRole('option', { name: TEAM }).click()
      await page.getByRole('combobox', { name: 'Pool' }).click()
      await page.getByRole('option', { name: pool.displayName || pool.id, exact: true }).click()
      await until('the text follows the form', async () => {
        const text = await yaml.innerText()
        return text.includes('gang-by-hand') && /replicas: 2/.test(text) && text.includes(TEAM)
      })
      // And back: what is typed into the text is in the form.
      await yaml.click()
      await page.keyboard.press('Control+End')
      await page.keyboard.type('labels: {from: e2e}\nretry: {onFailure: 3}\n')
      await until(
        'the form follows the text',
        async () => (await page.locator('input[name="retry.onFailure"]').inputValue()) === '3',
      )
    })

    await step('an error is shown at its line, and mended', async () => {
      const yaml = page.getByLabel('The job as YAML')
      await yaml.click()
      await page.keyboard.press('Control+End')
      await page.keyboard.type('gpuz: 8')
      await page.getByText('gpuz: There is no such field.').first().waitFor()
      assert.equal(await page.getByRole('button', { name: 'Submit', exact: true }).isDisabled(), true)
      for (let i = 0; i < 'gpuz: 8'.length; i++) await page.keyboard.press('Backspace')
      await page.getByText('gpuz: There is no such field.').first().waitFor({ state: 'detached' })
    })

    await step('the preview says that it would wait, and for what', async () => {
      await page.locator('[data-testid=preview] [data-outcome=waits]').waitFor({ timeout: 60_000 })
      await page.getByTestId('preview').getByText('may hold at most').waitFor()
    })

    await step('submitted, it says why it waits, with numbers', async () => {
      await page.getByRole('button', { name: 'Submit', exact: true }).click()
      await page.waitForURL(/\/jobs\/\d+/)
      id = /\/jobs\/(\d+)/.exec(page.url())[1]
      const why = page.getByTestId('why')
      await why.getByText('may hold at most').waitFor({ timeout: 60_000 })
      assert.match(await why.innerText(), /at most 8 GPUs .* holds 0; this job needs 16/)
    })

    await step('the limit is edited in the quota dialog', async () => {
      await page.goto(`/teams?team=${TEAM}`)
      await page.getByRole('button', { name: `Edit the quota in ${pool.id}` }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Guaranteed').fill('16')
      await dialog.getByLabel('Limit').fill('16')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      const row = page
        .getByRole('table', { name: 'Quotas' })
        .getByRole('row')
        .filter({ hasText: pool.displayName || pool.id })
      await row.getByText('16').first().waitFor()
    })

    await step('the effect: the gang starts whole, without a reload', async () => {
      await page.goto(`/jobs/${id}`)
      await page.locator('[data-state=RUNNING]').first().waitFor({ timeout: 240_000 })
      const attempts = await rest.get(`/jobs/${id}/attempts`)
      assert.equal(attempts[0].replicas.filter((r) => r.releasedAt == null).length, 2)
      await page.getByRole('heading', { name: 'Where it runs' }).waitFor()
    })

    await step('its share is on the fair share screen', async () => {
      await page.goto(`/shares?pool=${pool.id}`)
      const share = page.getByTestId(`share-${TEAM}`)
      await share.getByText('16', { exact: false }).first().waitFor()
      assert.match(await share.innerText(), /\b16\b.*(all it wants|deserved)/)
    })

    await step('its output arrives live', async () => {
      await page.goto(`/jobs/${id}?tab=logs`)
      const log = page.getByTestId('log')
      await log.waitFor({ timeout: 60_000 })
      const lines = () => page.getByText(/^live, \d/).innerText()
      const first = await lines()
      await until('another line', async () => (await lines()) !== first, 180)
    })

    await step('cancelled, it ends', async () => {
      await page.goto(`/jobs/${id}`)
      await page.getByRole('button', { name: 'Cancel', exact: true }).click()
      await page.getByRole('button', { name: 'Cancel the job' }).click()
      await page
        .locator('h1 ~ * [data-state=CANCELLED], [data-state=CANCELLED]')
        .first()
        .waitFor({ timeout: 240_000 })
    })

    assert.deepEqual(errors, [], 'nothing went wrong in the console')
  },
)
