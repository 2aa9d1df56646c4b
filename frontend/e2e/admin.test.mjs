// What an administrator changes by hand: a team, its defaults, its volumes, many jobs at once; and what one keeps for
// oneself: views.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { launch, missing, open, signIn } from './browser.mjs'
import { Rest, until } from './rest.mjs'

const USER = process.env.MUSTER_USER ?? 'admin'
const PASSWORD = process.env.MUSTER_PASSWORD ?? ''
const TEAM = `adm-${Date.now().toString(36)}`
const MORE = { skip: missing, timeout: 300_000 }

let browser
let rest
let pool
let page
let errors

before(async () => {
  if (missing) return
  browser = await launch()
  rest = await Rest.signIn(USER, PASSWORD)
  pool = (await rest.get('/pools'))[0]
  ;({ page, errors } = await open(browser))
  await signIn(page, USER, PASSWORD)
})

after(async () => {
  await browser?.close()
  const views = rest && (await rest.get('/me/views'))
  if (views) await rest.send('PUT', '/me/views', { views: [] }, [200], { 'If-Match': `"${views.version}"` })
})

const team = async () => (await rest.get(`/teams?path=${TEAM}`))[0]

/** A job that waits: its team has no quota of this size, so nothing starts it while the test looks at it. */
function waiting(name) {
  return rest.send('POST', '/jobs', {
    name,
    team: TEAM,
    image: 'images.example/train:1',
    command: ['sleep', '60'],
    resources: { gpus: 2 },
    pool: pool.id,
  })
}

test(
  'a team is made, shown under another name, and that it was changed meanwhile is told',
  MORE,
  async () => {
    await page.goto('/teams')
    await page.getByRole('button', { name: 'New team' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Inside' }).click()
    await page.keyboard.press('Escape')
    await dialog.getByLabel('Name', { exact: true }).fill('Not Valid')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.locator('[aria-invalid=true]').first().waitFor()
    await dialog.getByLabel('Name', { exact: true }).fill(TEAM)
    const clear = dialog.locator('.mantine-Select-section button')
    if ((await clear.count()) > 0) await clear.first().click()
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: TEAM, exact: true }).waitFor()

    await page.getByRole('button', { name: 'Rename' }).click()
    const made = await team()
    const theirs = { displayName: 'Theirs' }
    await rest.send('PUT', `/teams/${made.id}`, theirs, [200], { 'If-Match': `"${made.version}"` })
    await page.getByLabel('Shown as').fill('Mine')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('It is shown as “Theirs” now.').waitFor()
    await page.getByRole('button', { name: 'Save mine over it' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal((await team()).displayName, 'Mine')
  },
)

test('defaults are edited, refused by field, and a conflict shows what the other changed', MORE, async () => {
  const { id } = await team()
  await page.goto(`/teams?team=${TEAM}`)
  await page.getByRole('button', { name: `Edit the defaults of ${TEAM}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Walltime', { exact: true }).fill('9d')
  await dialog.getByLabel('Longest walltime').fill('2d')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('must be at most maxWalltime').waitFor()
  await dialog.getByLabel('Walltime', { exact: true }).fill('6h')
  await dialog.getByLabel('Memory per GPU').fill('lots')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('must be a quantity such as 8 or 64Gi').waitFor()
  await dialog.getByLabel('Memory per GPU').fill('64Gi')
  await dialog.getByLabel('GPUs per user').fill('16')
  await dialog.getByLabel('Images').first().fill('images.example/')
  await page.keyboard.press('Enter')

  const theirs = { walltime: '3h', imageAllowlist: [] }
  await rest.send('PUT', `/teams/${id}/settings`, theirs, [200], { 'If-Match': '"0"' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  const conflict = dialog.getByRole('alert')
  await conflict.getByText('Somebody changed it meanwhile').waitFor()
  await conflict.getByText('3h', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Save mine over it' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { own } = await rest.get(`/teams/${id}/settings`)
  assert.equal(own.walltime, '6h')
  assert.equal(own.userGpuCap, 16)
  assert.deepEqual(own.imageAllowlist, ['images.example/'])
  await page.getByText('64Gi').waitFor()
})

test('a volume is added, and the claim checked', MORE, async () => {
  await page.getByRole('button', { name: 'Add a volume' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('work')
  await dialog.getByLabel('Claim').fill('Not A Claim')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('must be the name of a persistent volume claim').waitFor()
  await dialog.getByLabel('Claim').fill('adm-work')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('table', { name: 'Volumes' }).getByText('adm-work').waitFor()
})

test(
  'many jobs are held, and get another priority, after a dry run that says what would happen',
  MORE,
  async () => {
    const { id } = await team()
    const none = { guaranteed: 0, limit: 1, lendable: null, weight: 1 }
    await rest.send('PUT', `/teams/${id}/quotas/${pool.id}`, none, [200], { 'If-Match': '"0"' })
    for (const name of ['bulk-1', 'bulk-2', 'bulk-3']) await waiting(name)
    const { job: ended } = await waiting('bulk-ended')
    await rest.send('POST', `/jobs/${ended.id}/cancel`, {})
    await page.goto(`/jobs?team=${TEAM}`)
    await page.getByText('bulk-1').waitFor()
    await page.getByRole('checkbox', { name: 'Select all' }).check()

    await page.getByRole('toolbar').getByRole('button', { name: 'Change priority' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'New priority' }).click()
    await page.getByRole('option', { name: 'low', exact: true }).click()
    await dialog.getByText('3 would change, 1 is refused.').waitFor()
    assert.equal(await dialog.getByText('normal becomes low').count(), 3)
    await dialog.getByText('The job has ended').waitFor()
    await dialog.getByRole('button', { name: 'Change 3' }).click()
    await dialog.waitFor({ state: 'detached' })
    const jobs = (await rest.get(`/jobs?team=${TEAM}&priority=low`)).items
    assert.equal(jobs.length, 3)

    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await page.getByRole('toolbar').getByRole('button', { name: 'Hold' }).click()
    await dialog.getByText('waits until it is released').first().waitFor()
    await dialog.getByRole('button', { name: 'Hold 3' }).click()
    await dialog.waitFor({ state: 'detached' })
    await until('all held', async () => (await rest.get(`/jobs?team=${TEAM}&state=held`)).items.length === 3)
  },
)

test('the list is grouped with its sums, and the address says so', MORE, async () => {
  await page.goto(`/jobs?team=${TEAM}`)
  await page.getByRole('combobox', { name: 'Group by' }).click()
  await page.getByRole('option', { name: 'by state' }).click()
  const held = page.getByRole('button', { name: /Held\s+3 jobs, 3 wait for 6 GPUs/ })
  await held.click()
  await page.getByRole('table', { name: 'Jobs: HELD' }).getByText('bulk-2').waitFor()
  const address = new URL(page.url())
  assert.equal(address.searchParams.get('group'), 'state')
  assert.equal(address.searchParams.get('open'), 'HELD')
  await page.reload()
  await page.getByRole('table', { name: 'Jobs: HELD' }).getByText('bulk-2').waitFor()
})

test('a view is kept under a name and is there after signing in again', MORE, async () => {
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save this view' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Held of the test')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  const other = await open(browser)
  await signIn(other.page, USER, PASSWORD)
  await other.page.goto('/jobs')
  await other.page.getByRole('button', { name: 'Views' }).click()
  await other.page.getByRole('menuitem', { name: 'Held of the test', exact: true }).click()
  await other.page.waitForURL(/group=state/)
  assert.match(other.page.url(), new RegExp(`team=${TEAM}`))
  await other.page.getByRole('button', { name: 'Held of the test', exact: true }).waitFor()
  await other.context.close()
})

test(
  'a team with open jobs says how many keep it from being archived; without them it goes',
  MORE,
  async () => {
    await page.goto(`/teams?team=${TEAM}`)
    await page.getByRole('button', { name: 'Archive' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('3 jobs have not ended: cancel them first.').waitFor()
    assert.equal(await dialog.getByRole('button', { name: 'Archive' }).isDisabled(), true)
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
    for (const job of (await rest.get(`/jobs?team=${TEAM}&state=held`)).items)
      await rest.send('POST', `/jobs/${job.id}/cancel`, {})
    await page.goto(`/teams?team=${TEAM}`)
    await page.getByRole('button', { name: 'Archive' }).click()
    await dialog.getByRole('button', { name: 'Archive' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal((await team()).archived, true)
    assert.deepEqual(errors, [], 'nothing went wrong in the console')
  },
)
