/** Creates a route, an account and a test message in the console, without the command line. */
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

const gateway = await openConsole({ noRoutes: true })
const { databaseUrl } = gateway.installation
const carrier = await gateway.installation.startSimulator('carrier', '--receipt-delay-ms', '300')
let passed = 0
const tests = 6
after(async () => {
  await gateway.close(passed < tests)
})

async function readOptions(id: string): Promise<Record<string, unknown>> {
  const [row] = await query<{ options: Record<string, unknown> }>(
    databaseUrl,
    `select options from routes where id = '${id}'`,
  )
  return row!.options
}

async function confirm(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name }).click()
  await dialog.waitFor({ state: 'detached' })
}

async function openMore(page: Page, section: 'Route' | 'Options'): Promise<void> {
  await page
    .locator('.section', { has: page.getByRole('heading', { name: section }) })
    .locator('summary')
    .click()
}

async function openForm(page: Page, id: string): Promise<void> {
  await openScreen(page, '/routes')
  await page.getByRole('link', { name: id, exact: true }).click()
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: `Edit route ${id}` }).waitFor()
  await page.getByLabel('Priority', { exact: true }).waitFor()
}

test('a new SMPP route links to its carrier', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.operator)
  await openScreen(page, '/routes')
  await page.getByText('No routes.').waitFor()
  await page.getByRole('link', { name: 'New route' }).click()
  await page.getByLabel('Route id').fill('carrier-a')
  await page.getByLabel('Host').fill('127.0.0.1')
  await page.getByLabel('Port').fill(String(carrier.port))
  await page.getByLabel('System id').fill('carrier-a')
  await page.getByLabel('Password').fill('hidden-1')
  assert.equal(await page.getByLabel('Password').getAttribute('type'), 'password')
  await openMore(page, 'Options')
  await requireAccessibleInBoth(page, 'form of an SMPP route')
  // Another operator reviews a route to a new host.
  await page.getByLabel('Enabled').uncheck()
  await page.getByRole('button', { name: 'Create route' }).click()
  await requireAccessible(page, 'the dialog of a new route')
  await confirm(page, 'Create route')
  await page.getByRole('heading', { level: 1, name: 'carrier-a' }).waitFor()
  const { page: reviewing, errors: reviewErrors } = await sharePage()
  await signIn(reviewing, gateway.url, gateway.keys.admin)
  await openScreen(reviewing, '/routes')
  await reviewing.getByRole('link', { name: 'carrier-a', exact: true }).click()
  await reviewing.getByRole('button', { name: 'Enable' }).click()
  await reviewing.getByRole('dialog').getByLabel('Reason').fill('reviewed with the carrier')
  await confirm(reviewing, 'Enable')
  await page.locator('.page-head .badge').getByText('Healthy').waitFor()
  assert.deepEqual(reviewErrors, [])
  const options = await readOptions('carrier-a')
  assert.deepEqual(options, {
    host: '127.0.0.1',
    port: carrier.port,
    systemId: 'carrier-a',
    password: 'hidden-1',
  })
  assert.deepEqual(errors, [])
  passed++
})

test('an edited route keeps its secret and rejects a concurrent change', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.operator)
  await openForm(page, 'carrier-a')
  assert.equal(await page.getByRole('button', { name: 'Save changes' }).isDisabled(), true)
  await page.getByLabel('Priority', { exact: true }).fill('50')
  await openMore(page, 'Options')
  await page.getByLabel('Window').fill('5')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('dialog').getByText('priority, options.window').waitFor()
  await confirm(page, 'Save changes')
  await page.getByText('50, lower is preferred').waitFor()
  assert.ok(!(await page.content()).includes('hidden-1'))
  const { password, window } = await readOptions('carrier-a')
  assert.deepEqual([password, window], ['hidden-1', 5])

  await openForm(page, 'carrier-a')
  await callAdmin(gateway, 'operator', 'POST', '/routes/carrier-a/rate', {
    partsPerSecond: 40,
    reason: 'contract',
  })
  await openMore(page, 'Route')
  await page.getByLabel('Weight').fill('2')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await confirm(page, 'Save changes')
  await page.getByText('Another operator changed this route').waitFor()
  await page.getByRole('button', { name: 'Discard my changes' }).click()
  await page.locator('input[value="40"]').waitFor()
  assert.equal(await page.getByLabel('Weight').inputValue(), '')
  assert.equal(await page.getByLabel('Parts per second').inputValue(), '40')
  assert.deepEqual(errors, [])
  passed++
})

test('a stored secret is not sent to another host', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.operator)
  await openForm(page, 'carrier-a')
  await page.getByLabel('Host').fill('other.example')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await confirm(page, 'Save changes')
  const password = page.getByLabel('Password')
  await page
    .locator('.field', { has: password })
    .getByRole('alert')
    .getByText('send the secret again')
    .waitFor()
  assert.equal(await password.getAttribute('aria-invalid'), 'true')
  assert.equal((await readOptions('carrier-a')).host, '127.0.0.1')
  assert.deepEqual(errors, [])
  passed++
})

test('creates and edits a provider route', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.operator)
  await openScreen(page, '/routes')
  await page.getByRole('link', { name: 'New route' }).click()
  await page.getByLabel('Route id').fill('vonage')
  await page.getByLabel('Connector').selectOption('vonage')
  await page.getByLabel('international', { exact: true }).check()
  await page.getByLabel('sms', { exact: true }).uncheck()
  await page.getByLabel('Enabled').uncheck()
  await page.getByLabel('apiKey').fill('abc')
  await page.getByLabel('apiSecret').fill('hidden-2')
  await page.getByRole('button', { name: 'Create route' }).click()
  await confirm(page, 'Create route')
  await page.locator('.page-head .badge').getByText('Disabled').waitFor()
  await openForm(page, 'vonage')
  await openMore(page, 'Options')
  await page.getByLabel('callbackToken', { exact: true }).fill('hidden-of-16-chars')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await confirm(page, 'Save changes')
  await page.getByRole('heading', { level: 1, name: 'vonage' }).waitFor()
  assert.deepEqual(await readOptions('vonage'), {
    apiKey: 'abc',
    apiSecret: 'hidden-2',
    callbackToken: 'hidden-of-16-chars',
  })
  assert.deepEqual(errors, [])
  passed++
})

test('creates an account and delivers its test message', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.operator)
  await openScreen(page, '/accounts')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByLabel('Name', { exact: true }).fill('First shop')
  await page.getByLabel('Client ID', { exact: true }).fill('first-shop')
  await page.getByRole('dialog').getByRole('button', { name: 'Create account' }).click()
  const shown = page.getByRole('dialog', { name: 'First key of first-shop' })
  const key = await shown.locator('code').first().innerText()
  await requireAccessibleInBoth(page, 'the first key')
  assert.ok((await shown.locator('pre').innerText()).includes(`Bearer ${key}`))
  const response = await fetch(`${gateway.apiUrl}/v1/usage`, { headers: { authorization: `Bearer ${key}` } })
  assert.equal(response.status, 200, await response.text())
  await shown.getByRole('button', { name: 'I have copied it' }).click()
  await page.getByRole('heading', { level: 1, name: 'First shop' }).waitFor()
  assert.ok(!(await page.content()).includes(key))

  await page.getByRole('button', { name: 'Send a test message' }).click()
  await page.getByRole('dialog').getByLabel('Sender').fill('15880000')
  await page.getByLabel('Recipient').fill('01012345678')
  await page.getByText('It would use route carrier-a.').waitFor()
  await requireAccessibleInBoth(page, 'the dialog of a test message')
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
  await page.waitForURL('**/messages/*')
  await page.locator('.outcome-card').getByText('10000 · Delivered').waitFor()
  assert.deepEqual(errors, [])
  passed++
})

test('forms fit 390 px in Korean and are hidden from read-only roles', async () => {
  const { page, errors } = await sharePage({ width: 390, locale: 'ko-KR', theme: 'dark' })
  await signIn(page, gateway.url, gateway.keys.operator)
  await openScreen(page, '/routes')
  await page.getByRole('link', { name: 'vonage', exact: true }).click()
  await page.getByRole('link', { name: '수정', exact: true }).click()
  await page.getByRole('button', { name: '변경 저장' }).waitFor()
  await requireNoSidewaysScroll(page, 'form of an HTTP route')
  await requireAccessible(page, 'form of an HTTP route, 390 px, Korean')
  await openScreen(page, '/routes')
  await page.getByRole('link', { name: 'carrier-a', exact: true }).click()
  await page.getByRole('button', { name: '테스트 메시지 보내기' }).click()
  await requireNoSidewaysScroll(page, 'dialog of a test message')
  assert.deepEqual(errors, [])
  const { page: viewer, errors: viewerErrors } = await sharePage()
  await signIn(viewer, gateway.url, gateway.keys.viewer)
  await openScreen(viewer, '/routes')
  await viewer.getByRole('link', { name: 'carrier-a', exact: true }).click()
  await viewer.getByRole('heading', { name: 'Settings' }).waitFor()
  assert.equal(await viewer.getByRole('link', { name: 'Edit', exact: true }).count(), 0)
  assert.equal(await viewer.getByRole('button', { name: 'Send a test message' }).count(), 0)
  assert.deepEqual(viewerErrors, [])
  passed++
})
