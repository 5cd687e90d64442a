import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { query } from '../../../gateway/test/support/processes/scratch-database.ts'
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

const gateway = await openConsole()
let failed = true
after(async () => {
  await gateway.close(failed)
})
const { clientId } = gateway.client.credentials
gateway.startTraffic(20)
// Inserted directly, because sixty password hashes are slow.
await query(
  gateway.installation.databaseUrl,
  `insert into accounts (client_id, name)
   select 'branch-' || lpad(n::text, 3, '0'), 'Branch ' || n from generate_series(1, 60) n`,
)
await waitFor(
  'messages that ended',
  async () => {
    const path = `/accounts/${clientId}/usage`
    const { items } = await callAdmin<{ items: readonly object[] }>(gateway, 'viewer', 'GET', path)
    return items.length > 0
  },
  500,
)

async function openAccount(page: Page, id: string): Promise<void> {
  await openScreen(page, '/accounts')
  await page.getByLabel('Client id or name').fill(id)
  await page.locator('tr', { hasText: id }).getByRole('link').click()
  await page.locator('.page-head', { hasText: id }).waitFor()
}

test('finds accounts by ID and name; a viewer cannot change them', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.viewer)
  await openScreen(page, '/accounts')
  await page.getByText('50 rows').waitFor()
  await page.getByRole('button', { name: 'Load more' }).click()
  // The sixty inserted accounts and the one of the client.
  await page.getByText('61 rows').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Create account' }).count(), 0)
  // The name of `branch-007` is `Branch 7`.
  await page.getByLabel('Client id or name').fill('nch 07')
  await page.getByText('No account matches').waitFor()
  await page.getByLabel('Client id or name').fill('nch 7')
  await page.getByText('1 row', { exact: true }).waitFor()
  assert.match(page.url(), /q=nch/)
  await page.getByRole('link', { name: 'Branch 7' }).click()
  await page.getByRole('heading', { level: 1, name: 'Branch 7' }).waitFor()
  await page.getByText('No registered sender').waitFor()
  for (const name of ['Block', 'Change limits', 'Set a cap', 'Add key'])
    assert.equal(await page.getByRole('button', { name }).count(), 0, name)
  assert.deepEqual(errors, [])
})

test('shows the traffic of an account in both themes', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.operator)
  await openAccount(page, clientId)
  const ended = page.locator('.stat', { hasText: 'Accepted and ended today' }).locator('dd').first()
  await page.locator('.stat', { hasText: 'in 30 days' }).waitFor()
  assert.ok(parseInt(await ended.innerText()) > 0)
  await page.locator('.usage svg .delivered').first().waitFor()
  await page.locator('.section', { hasText: 'Credentials' }).getByText('Active').first().waitFor()
  await requireAccessibleInBoth(page, 'account')
  assert.deepEqual(errors, [])
})

test('creates an account and shows its first key once', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.operator)
  await openScreen(page, '/accounts')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByLabel('Name', { exact: true }).fill('New shop')
  await page.getByLabel('Client ID', { exact: true }).fill('new-shop')
  await page.getByRole('dialog').getByRole('button', { name: 'Create account' }).click()
  const secret = page.getByRole('dialog', { name: 'First key of new-shop' })
  await secret.waitFor()
  await requireAccessible(page, 'a key that is shown once')
  const key = await secret.locator('code').first().innerText()
  assert.ok(key.length > 10)
  await page.keyboard.press('Escape')
  assert.ok(await secret.isVisible())
  await secret.getByRole('button', { name: 'I have copied it' }).click()
  await page.getByRole('heading', { level: 1, name: 'New shop' }).waitFor()
  assert.ok(!(await page.content()).includes(key))
  assert.deepEqual(errors, [])
})

test('adds, replaces and revokes a key', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.operator)
  await openAccount(page, 'branch-001')
  const card = page.locator('.section', { hasText: 'Credentials' })
  await card.getByRole('button', { name: 'Add key' }).click()
  await page.getByLabel('Purpose').fill('shop system')
  await page.getByLabel('usage', { exact: true }).uncheck()
  await requireAccessible(page, 'the dialog of a new key')
  await page.getByRole('dialog').getByRole('button', { name: 'Add key' }).click()
  await page.getByRole('button', { name: 'I have copied it' }).click()
  const row = card.locator('tr', { hasText: 'shop system' })
  await row.getByText('send, reports, replies, files, webhooks').waitFor()
  await row.getByRole('button', { name: 'Replace' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
  await page.getByText('The previous one works until').waitFor()
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await card.getByText('Replaced').waitFor()
  const old = card.locator('tr', { hasText: 'Replaced' })
  await old.getByRole('button', { name: 'Revoke' }).click()
  await page.getByLabel('Reason').fill('no longer needed')
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await card.getByText('Revoked').waitFor()
  assert.deepEqual(errors, [])
})

test('changes limits and caps, and explains refused changes', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.support)
  await openAccount(page, 'branch-002')
  const change = async (limit: string): Promise<void> => {
    await page.getByRole('button', { name: 'Change limits' }).click()
    await page.getByLabel('Sends').fill(limit)
    await page.getByLabel('Reason').fill('contract')
    await page.getByRole('dialog').getByRole('button', { name: 'Change limits' }).click()
  }
  await change('5')
  await page.locator('.fact-list', { hasText: 'Sends' }).getByText('5/s').waitFor()
  await change('90000')
  await page.getByRole('dialog').getByRole('alert').getByText('What to do').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  assert.equal(await page.getByRole('button', { name: 'Set a cap' }).count(), 0)
  assert.deepEqual(errors, [])
  const { page: adminPage, errors: adminErrors } = await sharePage()
  await signIn(adminPage, gateway.url, gateway.keys.admin)
  await openAccount(adminPage, 'branch-002')
  await adminPage.getByRole('button', { name: 'Set a cap' }).click()
  await adminPage.getByLabel('Maximum messages').fill('1000')
  await adminPage.getByLabel('Reason').fill('contract')
  await adminPage.getByRole('dialog').getByRole('button', { name: 'Set a cap' }).click()
  await adminPage.getByText('0 of 1,000').waitFor()
  assert.deepEqual(adminErrors, [])
})

test('blocks and unblocks an account after showing the effect', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.operator)
  await openAccount(page, clientId)
  await page.getByRole('button', { name: 'Block' }).click()
  await page.getByText('Scheduled messages (0)').waitFor()
  await page.getByText('Webhooks pause').waitFor()
  await page.getByLabel('Hold them until').check()
  await page.getByText('are held until the account is unblocked').first().waitFor()
  await requireAccessible(page, 'the dialog of a block')
  await page.getByLabel('Reason').fill('case 118')
  await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click()
  await page.getByRole('status').getByText('are with carriers').waitFor()
  await page.getByText('Blocked now').waitFor()
  const shown = await callAdmin<{ state: string }>(gateway, 'viewer', 'GET', `/accounts/${clientId}`)
  assert.equal(shown.state, 'blocked')
  assert.deepEqual(errors, [])
  const { page: narrow, errors: narrowErrors } = await sharePage({ width: 390, locale: 'ko-KR' })
  await signIn(narrow, gateway.url, gateway.keys.operator)
  await openScreen(narrow, '/accounts')
  await narrow.getByRole('link', { name: '차단됨' }).click()
  await narrow.locator('.table a').first().click()
  await narrow.getByText('현재 차단 중').waitFor()
  await requireNoSidewaysScroll(narrow, '390 px')
  await requireAccessible(narrow, '390 px, Korean')
  await narrow.getByRole('button', { name: '차단 해제' }).click()
  await narrow.getByLabel('사유').fill('확인 완료')
  await narrow.getByRole('dialog').getByRole('button', { name: '차단 해제' }).click()
  await narrow.getByText('차단을 해제했습니다').waitFor()
  assert.deepEqual(narrowErrors, [])
  failed = false
})
