import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { query } from '../../../gateway/test/support/processes/scratch-database.ts'
import {
  openScreen,
  requireAccessible,
  requireAccessibleInBoth,
  requireNoSidewaysScroll,
  signIn,
  type PageOptions,
} from '../support/browser.ts'
import { openConsole } from '../support/console-installation.ts'
import { exampleRecipient, sendExamples } from '../support/message-examples.ts'
import { sharePage } from '../support/shared-browser.ts'
import { waitFor } from '../support/wait.ts'

const gateway = await openConsole()
let failed = true
after(async () => {
  await gateway.close(failed)
})
const { clientId } = gateway.client.credentials
const webhook = await fetch(`${gateway.url}/admin/v1/accounts/${clientId}/webhooks`, {
  method: 'POST',
  headers: { authorization: `Bearer ${gateway.keys.operator}`, 'content-type': 'application/json' },
  body: JSON.stringify({ url: 'https://receiver.invalid/token-4711', reason: 'a test' }),
})
assert.equal(webhook.status, 200, await webhook.text())
const keys = await sendExamples(gateway)

async function open(role: keyof typeof gateway.keys, options: PageOptions = {}) {
  const { page, errors } = await sharePage(options)
  await signIn(page, gateway.url, gateway.keys[role])
  await openScreen(page, '/messages')
  return { page, requireNoErrors: (): void => assert.deepEqual(errors, []) }
}

async function find(page: Page, text: string): Promise<void> {
  const field = page.getByRole('searchbox')
  await field.fill(text)
  await field.press('Enter')
}
const rows = (page: Page) => page.locator('.found tbody tr')
const lastAudit = async (): Promise<Record<string, string>> =>
  (
    await query<Record<string, string>>(
      gateway.installation.databaseUrl,
      'select actor, action, result, target, reason from audit_log order by seq desc limit 1',
    )
  )[0]!

test('finds messages by ref, state, code and time', async () => {
  const { page, requireNoErrors } = await open('viewer')
  await rows(page).nth(3).waitFor()
  await find(page, 'order-4711')
  await waitFor('one message', async () => (await rows(page).count()) === 1)
  assert.match(page.url(), /ref=order-4711/)
  await rows(page).getByText('Delivered').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await rows(page).nth(3).waitFor()
  await page.getByLabel('Report code').fill('33101')
  await page.getByLabel('State').selectOption('closed')
  await page.getByRole('button', { name: 'Search' }).click()
  await waitFor('the code', async () => (await rows(page).count()) === 1)
  await rows(page).getByText(keys.fallback).waitFor()
  await page.goBack()
  await rows(page).nth(3).waitFor()
  await find(page, 'no such ref')
  await page.getByText('No messages found').waitFor()
  await page.getByText('A refused send has no msgKey').waitFor()
  await requireAccessible(page, 'nothing found')
  requireNoErrors()
})

test('the first screen links to open messages', async () => {
  const { page, requireNoErrors } = await open('viewer')
  await page.locator('.brand').click()
  await page.getByRole('link', { name: 'Past its deadline' }).click()
  await rows(page).getByText(keys.scheduled).waitFor()
  assert.match(page.url(), /messages\?state=open/)
  requireNoErrors()
})

test('audits a search by recipient and keeps the number out of the address', async () => {
  const { page, requireNoErrors } = await open('operator')
  await find(page, exampleRecipient)
  await page.getByText('*******0023 looks like a phone number').waitFor()
  await page.getByRole('button', { name: 'Search as recipient' }).click()
  const form = page.getByRole('form', { name: 'By recipient' })
  await form.getByLabel('Account').fill(clientId)
  await form.getByRole('button', { name: 'Search' }).click()
  const dialog = page.getByRole('dialog')
  await requireAccessible(page, 'recipient dialog')
  await dialog.getByLabel('Reason').fill('the client asked')
  await dialog.getByRole('button', { name: 'Search' }).click()
  await page.locator('.found-head', { hasText: '*******0023' }).waitFor()
  await rows(page).getByText(keys.fallback).waitFor()
  assert.equal(await rows(page).count(), 1)
  assert.ok(!page.url().includes('0023'))
  const { action, result, reason, target } = await lastAudit()
  assert.deepEqual(
    [action, result, reason, target],
    ['message find', 'looked', 'the client asked', '*******0023'],
  )
  requireNoErrors()
})

test('shows a timeline with fallback, late and repeated receipts in both themes', async () => {
  const { page, requireNoErrors } = await open('operator')
  await find(page, keys.fallback.toLowerCase())
  await page.getByRole('heading', { level: 1, name: 'Message' }).waitFor()
  const outcome = page.locator('.outcome-card')
  await outcome.getByText('10000 · Delivered').waitFor()
  await outcome.getByText('What to do').waitFor()
  await outcome.getByText('RCS ended with 33101, so').waitFor()
  const drawing = page.locator('svg.timeline')
  assert.equal(await drawing.locator('.lane').count(), 2)
  await drawing.locator('.stop.warn', { hasText: 'Late receipt' }).waitFor()
  await drawing.locator('.stop.ok', { hasText: 'Closed' }).waitFor()
  assert.ok((await drawing.locator('.leg.aside .fold').count()) === 1, 'three minutes are folded')
  const events = page.locator('.event-list')
  await events.getByText('Falls back to step 2, SMS').waitFor()
  await events.getByText('received 2 times').waitFor()
  const attempts = page.getByRole('region', { name: 'Attempts and receipts' }).last()
  await attempts.getByRole('link', { name: 'carrier-a' }).first().waitFor()
  await attempts.getByText('Delivered twice').waitFor()
  await requireAccessibleInBoth(page, 'message')
  requireNoErrors()
})

test('masks the number and audits its reveal', async () => {
  const { page, requireNoErrors } = await open('operator')
  await find(page, keys.fallback)
  await page.getByText('*******0023').first().waitFor()
  assert.ok(!(await page.locator('main').innerText()).includes(exampleRecipient))
  await page.getByRole('button', { name: /^Reveal/ }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('asked by the recipient')
  await page.getByRole('dialog').getByRole('button', { name: 'Reveal' }).click()
  await page.getByText(exampleRecipient, { exact: true }).first().waitFor()
  const { action, result, target } = await lastAudit()
  assert.deepEqual([action, result, target], ['message show', 'looked', keys.fallback])
  requireNoErrors()
})

test('shows a failing push and replays it', async () => {
  await waitFor('a failed push', async () => {
    const found = await query(
      gateway.installation.databaseUrl,
      'select from webhook_deliveries where msg_key = $1 and tries > 0',
      [keys.delivered],
    )
    return found.length > 0
  })
  const { page, requireNoErrors } = await open('support')
  await find(page, keys.delivered)
  const pushes = page.getByRole('region', { name: 'Webhooks' }).last()
  await pushes.getByText('receiver.invalid').first().waitFor()
  await pushes.getByText('Retrying').waitFor()
  await pushes.getByRole('button', { name: 'Push again' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Push again' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.equal((await lastAudit()).action, 'webhook replay')
  requireNoErrors()
})

test('hides actions from a role without the rights', async () => {
  const { page, requireNoErrors } = await open('viewer')
  assert.equal(await page.getByRole('button', { name: 'By recipient' }).count(), 0)
  await find(page, exampleRecipient)
  await page.getByText('cannot reveal numbers').waitFor()
  await find(page, keys.scheduled)
  await page.locator('.outcome-card').getByText('Waits for its scheduled time').waitFor()
  for (const name of [/^Reveal/, 'Cancel message', 'Push again'])
    assert.equal(await page.getByRole('button', { name }).count(), 0)
  requireNoErrors()
})

test('cancels a scheduled message after confirmation', async () => {
  const { page, requireNoErrors } = await open('operator')
  await find(page, keys.scheduled)
  await page.getByRole('button', { name: 'Cancel message' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('The message is not sent').waitFor()
  await dialog.getByLabel('Reason').fill('the client called')
  await dialog.getByRole('button', { name: 'Cancel message' }).click()
  await page.locator('.outcome-card').getByText('90010').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Cancel message' }).count(), 0)
  const { action, reason } = await lastAudit()
  assert.deepEqual([action, reason], ['message cancel', 'the client called'])
  requireNoErrors()
})

test('explains a message that is not found', async () => {
  const { page, requireNoErrors } = await open('viewer')
  await find(page, `${keys.delivered.slice(0, 31)}${keys.delivered.endsWith('Z') ? 'Y' : 'Z'}`)
  await page.getByRole('heading', { level: 1, name: 'Message not found' }).waitFor()
  await page.getByText('The format is valid').waitFor()
  await page.getByText('The day is within the retention period').waitFor()
  await requireAccessible(page, 'missing')
  await page.getByRole('link', { name: 'Messages accepted in that minute' }).click()
  await rows(page).getByText(keys.delivered).waitFor()
  await page.evaluate(
    `history.pushState({}, '', '/messages/2026'); dispatchEvent(new PopStateEvent('popstate'))`,
  )
  await page.getByText('The key has 4 characters').waitFor()
  requireNoErrors()
})

test('the screen fits 390 and 2560 px in Korean', async () => {
  for (const width of [390, 2560]) {
    const { page, requireNoErrors } = await open('admin', { width, locale: 'ko-KR' })
    await page.getByRole('heading', { level: 1, name: '메시지' }).waitFor()
    await rows(page).first().waitFor()
    await requireNoSidewaysScroll(page, `list, ${width} px`)
    await requireAccessible(page, `list, ${width} px`)
    await find(page, keys.failed)
    await page.locator('.outcome-card').getByText('조치:').waitFor()
    await requireNoSidewaysScroll(page, `message, ${width} px`)
    await requireAccessible(page, `message, ${width} px`)
    requireNoErrors()
  }
  failed = false
})
