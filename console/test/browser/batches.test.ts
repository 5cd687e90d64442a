import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  openScreen,
  requireAccessible,
  requireAccessibleInBoth,
  requireNoSidewaysScroll,
  signIn,
} from '../support/browser.ts'
import { openConsole } from '../support/console-installation.ts'
import { openBatchClient, uploadExample } from '../support/example-batch.ts'
import { sharePage } from '../support/shared-browser.ts'
import { waitFor } from '../support/wait.ts'

const gateway = await openConsole()
const client = await openBatchClient(gateway)
let failed = true
after(async () => {
  client.close()
  await gateway.close(failed)
})

const batchId = await uploadExample(client, {
  ref: 'sale-11',
  lines: 3_000,
  settings: { speed: 10, hours: { from: '00:00', to: '23:59' } },
})
await client.act(batchId, 'start')
await waitFor('failures', async () =>
  Object.keys((await client.read(batchId)).outcomes).some((code) => code !== '10000'),
)

async function openBatch(page: Page): Promise<void> {
  await openScreen(page, '/batches')
  await page.getByRole('link', { name: 'sale-11' }).click()
  await page.locator('.batch-legend').waitFor()
}

test('a viewer sees the progress and the reasons, but no recipients and no actions', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.viewer)
  await openScreen(page, '/batches')
  await page.getByRole('link', { name: 'sale-11' }).waitFor()
  await requireAccessibleInBoth(page, 'batches')
  await page.getByRole('link', { name: 'Paused' }).click()
  await page.getByText('No batch matches').waitFor()
  await openBatch(page)
  await page.getByRole('img', { name: /Delivered [\d,]+, Failed/ }).waitFor()
  await page.getByText('No such subscriber').waitFor()
  await page.getByText('The recipient is missing or malformed').waitFor()
  await page.getByText('at most 10/s').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Pause' }).count(), 0)
  assert.ok(!/010\d{8}/.test(await page.locator('main').innerText()))
  await requireAccessibleInBoth(page, 'a batch')
  assert.deepEqual(errors, [])
})

test('an operator pauses, resumes and cancels a batch', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.operator)
  await openBatch(page)
  const dialog = page.getByRole('dialog')
  const head = page.locator('.page-head')
  const change = async (action: string): Promise<void> => {
    await page.getByRole('button', { name: action, exact: true }).click()
    await dialog.getByLabel('Reason').fill('asked by the customer')
    await dialog.getByRole('button', { name: action, exact: true }).click()
  }
  await change('Pause')
  await head.getByText('Paused').waitFor()
  assert.equal((await client.read(batchId)).state, 'paused')
  await change('Resume')
  await head.getByText('Running').waitFor()
  await page.getByRole('button', { name: 'Cancel batch' }).click()
  await dialog.getByText('lines get no message').waitFor()
  await requireAccessible(page, 'the dialog of a cancellation')
  await dialog.getByLabel('Reason').fill('asked by the customer')
  await dialog.getByRole('button', { name: 'Cancel batch' }).click()
  await head.getByText('Cancelled').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Cancel batch' }).count(), 0)
  assert.deepEqual(errors, [])
})

test('a batch fits 390 px in Korean', async () => {
  const { page, errors } = await sharePage({ width: 390, locale: 'ko-KR' })
  await signIn(page, gateway.url, gateway.keys.viewer)
  await openScreen(page, '/batches')
  await page.getByRole('link', { name: 'sale-11' }).waitFor()
  await requireNoSidewaysScroll(page, 'the list')
  await openBatch(page)
  await page.getByText('결번').waitFor()
  await requireNoSidewaysScroll(page, 'a batch')
  await requireAccessible(page, '390 px, Korean')
  assert.deepEqual(errors, [])
  failed = false
})
