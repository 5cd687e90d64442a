import assert from 'node:assert/strict'
import { after, test } from 'node:test'
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

const gateway = await openConsole()
let failed = true
after(async () => {
  await gateway.close(failed)
})
const { clientId } = gateway.client.credentials
for (const value of ['02-1234-5678', '010-2345-6789', '1588-1234'])
  await callAdmin(gateway, 'support', 'POST', `/accounts/${clientId}/senders`, { kind: 'number', value })

test('lists pending senders; a viewer cannot decide', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.viewer)
  await openScreen(page, '/senders')
  await page.getByText('3 rows').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0)
  assert.ok(!(await page.content()).includes('01023456789'))
  await page.getByRole('link', { name: 'Rejected' }).click()
  await page.getByText('No sender matches').waitFor()
  assert.match(page.url(), /state=rejected/)
  await page.getByLabel('Kind').selectOption('brand')
  await page.waitForURL('**kind=brand**')
  assert.deepEqual(errors, [])
})

test('the list is accessible in both themes', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.support)
  await openScreen(page, '/senders')
  await page.getByText('3 rows').waitFor()
  await requireAccessibleInBoth(page, 'senders')
  assert.deepEqual(errors, [])
})

test('registers, approves and blocks a sender and shows its history', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.operator)
  await openScreen(page, '/senders')
  await page.getByRole('button', { name: 'Register sender' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Account').fill(clientId)
  await dialog.getByLabel('Number or key').fill('0298765432')
  await dialog.getByRole('button', { name: 'Register sender' }).click()
  const row = page.locator('tr', { hasText: '0298765432' })
  await row.waitFor()
  // Approval requires another operator.
  await signIn(page, gateway.url, gateway.keys.admin)
  await openScreen(page, '/senders')
  await row.getByRole('button', { name: 'Approve' }).click()
  // The API refuses an approval without a proof.
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await dialog.getByRole('alert').getByText('What to do').waitFor()
  await dialog.getByLabel('Kind of proof').selectOption('consent')
  await dialog.getByLabel('Location of the proof').fill('doc-118')
  await dialog.getByLabel('Last day').fill('2099-12-31')
  await requireAccessible(page, 'the dialog of an approval')
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await row.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Active', exact: true }).click()
  await row.getByText('2099-12-31').waitFor()
  await row.getByRole('link', { name: '0298765432' }).click()
  await page.getByRole('heading', { level: 1, name: '0298765432' }).waitFor()
  assert.ok(!(await page.content()).includes('doc-118'))
  await page.getByRole('button', { name: 'Reveal proof' }).click()
  await dialog.getByLabel('Reason').fill('complaint 7')
  await dialog.getByRole('button', { name: 'Reveal proof' }).click()
  await page.getByText('doc-118', { exact: true }).waitFor()
  await page
    .locator('tr', { hasText: 'Pending → Active' })
    .getByText('consent of the owner, doc-118')
    .waitFor()
  await page.getByRole('button', { name: 'Block' }).click()
  await dialog.getByText('accepted and scheduled messages').waitFor()
  await dialog.getByLabel('Reason').fill('reported as stolen')
  await dialog.getByRole('button', { name: 'Block' }).click()
  await page.getByText('Active → Blocked').waitFor()
  await page.getByText('reported as stolen').waitFor()
  await requireAccessible(page, 'a sender')
  assert.deepEqual(errors, [])
})

test('support rejects a sender but cannot unblock one', async () => {
  const { page, errors } = await sharePage({ width: 390, locale: 'ko-KR' })
  await signIn(page, gateway.url, gateway.keys.support)
  await openScreen(page, '/senders')
  const row = page.locator('tr', { hasText: '15881234' })
  await row.getByRole('button', { name: '반려' }).click()
  await page.getByLabel('사유').fill('서류 미비')
  await page.getByRole('dialog').getByRole('button', { name: '반려' }).click()
  await row.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: '차단', exact: true }).click()
  await page.getByRole('link', { name: '0298765432' }).click()
  await page.getByText('사용 중 → 차단').waitFor()
  await requireNoSidewaysScroll(page, '390 px')
  await requireAccessible(page, '390 px, Korean')
  await page.getByRole('button', { name: '승인' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '승인' }).click()
  await page.getByRole('dialog').getByRole('alert').getByText('forbidden').waitFor()
  assert.deepEqual(errors, [])
  failed = false
})
