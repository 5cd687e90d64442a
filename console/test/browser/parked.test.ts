import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { query } from '../../../gateway/test/support/processes/scratch-database.ts'
import {
  openScreen,
  requireAccessible,
  requireAccessibleInBoth,
  requireNoSidewaysScroll,
  signIn,
} from '../support/browser.ts'
import { openConsole } from '../support/console-installation.ts'
import { parkJobs } from '../support/parked-jobs.ts'
import { sharePage } from '../support/shared-browser.ts'
import { waitFor } from '../support/wait.ts'

const gateway = await openConsole()
const { databaseUrl } = gateway.installation
let passed = 0
const tests = 6
after(async () => {
  await gateway.close(passed < tests)
})

const countParked = async (): Promise<number> =>
  Number((await query<{ count: string }>(databaseUrl, 'select count(*) from parked'))[0]!.count)

test('explains an empty list', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.viewer)
  await openScreen(page, '/parked')
  await page.getByText('No parked jobs.').waitFor()
  await requireAccessible(page, 'nothing parked')
  assert.deepEqual(errors, [])
  passed++
})

test('shows groups with advice and their jobs in both themes', async () => {
  await parkJobs(databaseUrl, [
    { stage: 'intake', reason: 'error 22021', count: 2 },
    { stage: 'intake', reason: 'error 42501', count: 230 },
    { stage: 'settle', reason: 'unreadable receipt: /kind is unknown', count: 1 },
    { stage: 'unreadable', reason: 'not JSON', count: 1 },
  ])
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.viewer)
  await openScreen(page, '/parked')
  const group = page.locator('.reason', { hasText: 'error 42501' })
  await group.getByText('postern database roles').waitFor()
  await group.getByText('230').waitFor()
  await page.getByText('Your role can view parked jobs').waitFor()
  assert.equal(await page.getByRole('button', { name: /Retry/ }).count(), 0)
  await requireAccessibleInBoth(page, 'parked')
  await page.locator('.reason', { hasText: 'error 22021' }).getByRole('link', { name: 'Show' }).click()
  await page.waitForURL('**/parked?stage=intake**')
  await waitFor(
    'only the jobs of the group',
    async () => (await page.locator('.table tbody tr').count()) === 2,
  )
  assert.deepEqual(errors, [])
  passed++
})

test('shows a job, reveals its content with a reason, and drops it', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.operator)
  await openScreen(page, '/parked')
  await page.locator('.reason', { hasText: 'error 22021' }).getByRole('link', { name: 'Show' }).click()
  await page.waitForURL('**/parked?stage=intake**')
  await page.locator('.table tbody th a').first().click()
  await page.getByRole('heading', { level: 1, name: /Parked job \d+/ }).waitFor()
  await page.getByText('PostgreSQL refused a value of the job').waitFor()
  await page.getByRole('button', { name: 'Reveal' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('a test')
  await page.getByRole('dialog').getByRole('button', { name: 'Reveal' }).click()
  await page.locator('pre.payload', { hasText: '"steps"' }).waitFor()
  await requireAccessible(page, 'parked job')
  await page.getByRole('button', { name: 'Drop' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('The message is recorded and fails without being submitted.').waitFor()
  await requireAccessible(page, 'drop')
  await dialog.getByLabel('Reason').fill('a test')
  await dialog.getByRole('button', { name: 'Drop' }).click()
  await page.getByText('Dropped').waitFor()
  await waitFor('one job less', async () => (await countParked()) === 233)
  assert.deepEqual(errors, [])
  passed++
})

test('retries one job, a large group and all; unreadable jobs stay parked', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.operator)
  await openScreen(page, '/parked')
  const confirm = async (): Promise<void> => {
    const dialog = page.getByRole('dialog')
    await dialog
      .getByText(/processe[sd]/)
      .first()
      .waitFor()
    await dialog.getByLabel('Reason').fill('a test')
    await dialog.getByRole('button', { name: 'Retry' }).click()
    await dialog.waitFor({ state: 'detached', timeout: 120_000 })
  }
  await page.locator('.reason', { hasText: 'error 22021' }).getByRole('link', { name: 'Show' }).click()
  await page.waitForURL('**/parked?stage=intake**')
  await page.locator('.table tbody th a').first().click()
  await page.getByRole('heading', { level: 1, name: /Parked job/ }).waitFor()
  await page.getByRole('button', { name: 'Retry', exact: true }).click()
  await confirm()
  await page.getByText('1 retried.').waitFor()
  await page.getByRole('link', { name: 'All parked jobs' }).click()
  await page.locator('.reason', { hasText: 'error 42501' }).getByRole('button', { name: 'Retry' }).click()
  await page.getByText('Retry 230 jobs parked with').waitFor()
  await confirm()
  await page.getByText('230 retried.').waitFor()
  await parkJobs(databaseUrl, [
    { stage: 'intake', reason: 'error 42501', count: 2 },
    { stage: 'intake', reason: 'error 22021', count: 1 },
  ])
  await page.getByRole('button', { name: 'Retry Intake: 3' }).waitFor({ timeout: 15_000 })
  await page.getByRole('button', { name: 'Retry all 4' }).click()
  await page.getByRole('dialog').getByText('1 unreadable jobs stay').waitFor()
  await confirm()
  await page.getByText(/^4 retried/).waitFor()
  // The receipt is of an unknown kind, so settle parks it again.
  await waitFor('what stays', async () => (await countParked()) <= 2)
  await page.locator('.reason', { hasText: 'not JSON' }).waitFor()
  assert.deepEqual(errors, [])
  passed++
})

test('a read-only role cannot retry or drop jobs', async () => {
  const response = await fetch(`${gateway.url}/admin/v1/parked/retry`, {
    method: 'POST',
    body: JSON.stringify({ group: { lastId: 1_000_000 }, reason: 'a test' }),
    headers: { authorization: `Bearer ${gateway.keys.support}`, 'content-type': 'application/json' },
  })
  assert.equal(response.status, 403)
  assert.equal(((await response.json()) as { code: string }).code, 'forbidden')
  passed++
})

test('the screen fits 390 px in Korean', async () => {
  const { page, errors } = await sharePage({ width: 390, locale: 'ko-KR' })
  await signIn(page, gateway.url, gateway.keys.operator)
  await openScreen(page, '/parked')
  await page.getByRole('heading', { level: 2, name: '해석 불가' }).waitFor()
  await requireNoSidewaysScroll(page, 'parked')
  await requireAccessible(page, 'parked, 390 px, Korean')
  await page.locator('.table tbody th a').first().click()
  await page.getByRole('heading', { level: 2, name: '격리된 이유' }).waitFor()
  await requireNoSidewaysScroll(page, 'parked job')
  assert.deepEqual(errors, [])
  passed++
})
