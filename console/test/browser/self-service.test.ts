import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { AccountClient } from '../../../gateway/test/support/processes/account-client.ts'
import { openReceiver } from '../../../gateway/test/load/webhooks/receiver.ts'
import { callAdmin } from '../support/admin-client.ts'
import {
  openScreen,
  requireAccessible,
  requireAccessibleInBoth,
  requireNoSidewaysScroll,
} from '../support/browser.ts'
import { addClientLogin, signInAsClient } from '../support/client-login.ts'
import { openConsole } from '../support/console-installation.ts'
import { sharePage } from '../support/shared-browser.ts'
import { waitFor } from '../support/wait.ts'

const gateway = await openConsole({
  settings: () => Promise.resolve({ POSTERN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }),
})
const receiver = await openReceiver()
const { clientId } = gateway.client.credentials
const other = new AccountClient(
  gateway.apiUrl,
  await callAdmin(gateway, 'admin', 'POST', '/accounts', { name: 'Rival', clientId: 'rival' }),
)
let failed = true
after(async () => {
  other.close()
  await gateway.close(failed)
  await receiver.close()
})
const key = await addClientLogin(gateway.installation.databaseUrl, 'park@shop.example', clientId)
const webhook = await callAdmin<{ webhook: { id: string } }>(
  gateway,
  'admin',
  'POST',
  `/accounts/${clientId}/webhooks`,
  { name: 'Reports', url: `${receiver.url}/reports` },
)
await other.login()
const send = async (client: AccountClient, to: string, ref: string): Promise<string> =>
  (await client.send('sms', { from: '15880000', to, text: 'Hello', ref })).body.msgKey!
const sent = await send(gateway.client, '01012345678', 'order-4711')
const rival = await send(other, '01012345678', 'rival-1')
const at = encodeURIComponent(new Date(Date.now() + 7_200_000).toISOString())
const { body: scheduled } = await gateway.client.call<{ msgKey: string }>(
  'POST',
  `/v1/send/sms?sendAt=${at}`,
  JSON.stringify({ from: '15880000', to: '01012345678', text: 'Tomorrow', ref: 'reminder-1' }),
)
await waitFor('the push of its report', () => receiver.arrivals.length > 0)
await waitFor('the message of the other account', async () => {
  const { items } = await callAdmin<{ items: object[] }>(gateway, 'viewer', 'GET', '/messages?account=rival')
  return items.length > 0
})

test('a client user sees only its account', async () => {
  const { page, errors } = await sharePage()
  await signInAsClient(page, gateway.url, key)
  await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor()
  const menu = await page.locator('.nav a').allInnerTexts()
  assert.deepEqual(
    menu.map((text) => text.trim()),
    ['Overview', 'Messages', 'Senders', 'Webhooks'],
  )
  assert.equal(await page.locator('.strip').count(), 0)
  for (const name of ['Block', 'Change limits', 'Set a cap'])
    assert.equal(await page.getByRole('button', { name }).count(), 0, name)
  await page.getByText('Accepted and ended today').waitFor()
  await requireAccessibleInBoth(page, 'the overview')
  await openScreen(page, '/messages')
  await page.getByText('order-4711').waitFor()
  await page.getByText('reminder-1').waitFor()
  assert.ok(!(await page.locator('main').innerText()).includes('rival'))
  await requireAccessibleInBoth(page, 'its messages')
  await page.getByRole('link', { name: sent }).click()
  await page.getByRole('heading', { name: 'Attempts and receipts' }).waitFor()
  await page.locator('.event-list').waitFor()
  assert.ok(!(await page.locator('main').innerText()).includes('carrier-a'))
  await requireAccessibleInBoth(page, 'a message')
  assert.deepEqual(errors, [])
})

test('hides other accounts and operator screens', async () => {
  const { page, errors } = await sharePage()
  await signInAsClient(page, `${gateway.url}/accounts/rival`, key)
  await page.getByText(`account 'rival' not found`).waitFor()
  await signInAsClient(page, `${gateway.url}/messages/${rival}`, key)
  await page.getByText('Your account has no message with this msgKey').waitFor()
  for (const path of ['/routes', '/audit', '/accounts', '/sandbox']) {
    await signInAsClient(page, gateway.url + path, key)
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
  }
  assert.deepEqual(errors, [])
})

test('a client user tests and replays a webhook and cancels a message', async () => {
  const { page, errors } = await sharePage()
  await signInAsClient(page, `${gateway.url}/webhooks/${webhook.webhook.id}`, key)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Test' }).click()
  await dialog.getByRole('button', { name: 'Test' }).click()
  await page.getByRole('status').getByText('HTTP 200').waitFor()
  const seen = receiver.arrivals.length
  await page.getByRole('button', { name: 'Replay' }).click()
  await dialog.getByLabel('All pushes since the selected time').check()
  await dialog.getByText(/[1-9]\d* to push again/).waitFor()
  await dialog.getByLabel('Reason').fill('lost by our server')
  await dialog.getByRole('button', { name: 'Replay' }).click()
  await page.getByRole('status').getByText('Replaying').waitFor()
  await waitFor('the report for the second time', () => receiver.arrivals.length > seen)
  await openScreen(page, '/messages')
  await page.getByRole('link', { name: scheduled.msgKey }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByLabel('Reason').fill('not needed')
  await dialog.locator('button[type=submit]').click()
  await page.getByText('90010').first().waitFor()
  assert.deepEqual(errors, [])
})

test('a client user creates and revokes a key and requests a sender', async () => {
  const { page, errors } = await sharePage()
  await signInAsClient(page, gateway.url, key)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Add key' }).click()
  await dialog.getByLabel('Purpose').fill('server 2')
  await dialog.locator('button[type=submit]').click()
  await page.getByRole('button', { name: 'I have copied it' }).click()
  const row = page.locator('tr', { hasText: 'server 2' })
  await row.getByRole('button', { name: /Revoke/ }).click()
  await dialog.getByLabel('Reason').fill('not used')
  await dialog.locator('button[type=submit]').click()
  await row.getByText('Revoked').waitFor()
  await openScreen(page, '/senders')
  await page.getByRole('button', { name: 'Request registration' }).click()
  await requireAccessible(page, 'the request for a sender')
  await dialog.getByLabel('Number or key').fill('02-3456-7890')
  await dialog.locator('button[type=submit]').click()
  await page.locator('tr', { hasText: '0234567890' }).getByText('Pending').waitFor()
  assert.equal(await page.getByRole('button', { name: /Approve/ }).count(), 0)
  const { items } = await callAdmin<{ items: { id: string; value: string; account: string }[] }>(
    gateway,
    'support',
    'GET',
    '/senders?state=pending',
  )
  assert.deepEqual(
    items.map(({ value, account }) => [value, account]),
    [['0234567890', clientId]],
  )
  const recorded = await callAdmin<{ items: { actor: string; role: string; action: string }[] }>(
    gateway,
    'operator',
    'GET',
    '/audit?limit=1',
  )
  const { actor, role, action } = recorded.items[0]!
  assert.deepEqual([actor, role, action], ['park@shop.example', 'client', 'sender add'])
  assert.deepEqual(errors, [])
})

test('the screen fits 390 px in Korean', async () => {
  const { page, errors } = await sharePage({ width: 390, locale: 'ko-KR' })
  await signInAsClient(page, gateway.url, key)
  await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor()
  await page.locator('.usage svg').waitFor()
  await requireNoSidewaysScroll(page, 'the overview')
  for (const path of ['/messages', '/senders', '/webhooks']) {
    await openScreen(page, path)
    await requireNoSidewaysScroll(page, path)
  }
  await page.getByRole('link', { name: 'Reports' }).waitFor()
  assert.deepEqual(errors, [])
  failed = false
})
