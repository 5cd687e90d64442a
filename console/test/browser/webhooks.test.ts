import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openReceiver } from '../../../gateway/test/load/webhooks/receiver.ts'
import { callAdmin } from '../support/admin-client.ts'
import {
  openScreen,
  requireAccessible,
  requireAccessibleInBoth,
  requireNoSidewaysScroll,
  signIn,
} from '../support/browser.ts'
import { openConsole } from '../support/console-installation.ts'
import { sharePage } from '../support/shared-browser.ts'
import { waitFor } from '../support/wait.ts'

interface Webhook {
  readonly id: string
  readonly failingSince: string | null
}

const gateway = await openConsole({
  settings: () => Promise.resolve({ POSTERN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }),
})
const working = await openReceiver()
const broken = await openReceiver(() => ({ status: 500, body: 'out of order' }))
let failed = true
after(async () => {
  await gateway.close(failed)
  await Promise.all([working.close(), broken.close()])
})
const { clientId } = gateway.client.credentials

async function addWebhook(name: string, url: string): Promise<string> {
  const { webhook } = await callAdmin<{ webhook: Webhook }>(
    gateway,
    'admin',
    'POST',
    `/accounts/${clientId}/webhooks`,
    { name, url: `${url}/reports?token=hidden` },
  )
  return webhook.id
}

await addWebhook('Working', working.url)
const brokenId = await addWebhook('Broken', broken.url)
gateway.startTraffic(5)
await waitFor(
  'pushes that fail',
  async () =>
    (await callAdmin<Webhook>(gateway, 'viewer', 'GET', `/webhooks/${brokenId}`)).failingSince !== null,
  500,
)
await waitFor('pushes', () => working.arrivals.length > 0)

async function openWebhook(page: Page, name: string): Promise<void> {
  await openScreen(page, '/webhooks')
  await page.getByRole('link', { name }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
}

test('lists failing webhooks first and shows responses in both themes', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.viewer)
  await openScreen(page, '/webhooks')
  await page.locator('tbody tr').first().getByText('Failing').waitFor()
  assert.match(await page.locator('tbody tr').first().innerText(), /Broken/)
  assert.ok(!(await page.content()).includes('token=hidden'))
  await requireAccessibleInBoth(page, 'webhooks')
  await page.getByRole('group', { name: 'Webhook state' }).getByRole('link', { name: 'Failing' }).click()
  await page.getByText('1 row', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Broken' }).click()
  await page.getByText('HTTP 500').first().waitFor()
  await page.getByRole('button', { name: /^5xx/ }).click()
  assert.equal(await page.getByRole('button', { name: 'Test' }).count(), 0)
  await requireAccessibleInBoth(page, 'a webhook')
  assert.deepEqual(errors, [])
})

test('tests, disables and enables a webhook and reveals its URL', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.support)
  await openWebhook(page, 'Broken')
  const dialog = page.getByRole('dialog')
  const test = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Test' }).click()
    await dialog.getByRole('button', { name: 'Test' }).click()
  }
  await test()
  await page.getByRole('status').getByText('HTTP 500').waitFor()
  await page.getByRole('button', { name: 'Disable' }).click()
  await dialog.getByLabel('Reason').fill('asked by the customer')
  await dialog.getByRole('button', { name: 'Disable' }).click()
  await page.locator('.page-head').getByText('Disabled').waitFor()
  broken.answer = () => undefined
  await test()
  await page.getByRole('status').getByText('HTTP 200').waitFor()
  await page.getByRole('button', { name: 'Enable' }).click()
  await dialog.getByText('Continues where it stopped').waitFor()
  await dialog.getByLabel('Reason').fill('repaired')
  await dialog.getByRole('button', { name: 'Enable' }).click()
  await page.locator('.page-head').getByText('Pushing', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Reveal URL' }).click()
  await dialog.getByLabel('Reason').fill('the customer lost it')
  await dialog.getByRole('button', { name: 'Reveal URL' }).click()
  await page.getByText('token=hidden').waitFor()
  assert.deepEqual(errors, [])
})

test('shows the count before a replay and a rotated secret once', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.support)
  await openWebhook(page, 'Working')
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Replay' }).click()
  await dialog.getByText('No pushes to replay').waitFor()
  await dialog.getByLabel('All pushes since the selected time').check()
  await dialog.getByText(/[1-9]\d* to push again/).waitFor()
  await requireAccessible(page, 'the dialog of a replay')
  await dialog.getByLabel('Reason').fill('lost by the customer')
  const before = new Set(working.arrivals.map(({ eventId }) => eventId))
  const seen = working.arrivals.length
  await dialog.getByRole('button', { name: 'Replay' }).click()
  await page.getByRole('status').getByText('Replaying').waitFor()
  await waitFor('a report for the second time', () =>
    working.arrivals.slice(seen).some(({ eventId }) => before.has(eventId)),
  )
  await page.getByRole('button', { name: 'Rotate secret' }).click()
  await dialog.getByLabel('Reason').fill('every half year')
  await dialog.getByRole('button', { name: 'Rotate secret' }).click()
  const secret = page.getByRole('dialog', { name: 'Secret of Working' })
  assert.match(await secret.locator('code').innerText(), /^whsec_/)
  await secret.getByRole('button', { name: 'I have copied it' }).click()
  assert.deepEqual(errors, [])
})

test('the screen fits 390 px in Korean', async () => {
  const { page, errors } = await sharePage({ width: 390, locale: 'ko-KR' })
  await signIn(page, gateway.url, gateway.keys.viewer)
  await openScreen(page, '/webhooks')
  await page.getByRole('link', { name: 'Working' }).waitFor()
  await requireNoSidewaysScroll(page, 'the list')
  await page.getByRole('link', { name: 'Working' }).click()
  await page.getByText('전송 기록').first().waitFor()
  await page.getByText('HTTP 200').first().waitFor()
  await requireNoSidewaysScroll(page, 'a webhook')
  await requireAccessible(page, '390 px, Korean')
  assert.deepEqual(errors, [])
  failed = false
})
