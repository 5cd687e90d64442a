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
import { sharePage } from '../support/shared-browser.ts'
import { waitFor } from '../support/wait.ts'

const gateway = await openConsole({ brokenRoute: true })
let passed = 0
const tests = 6
after(async () => {
  await gateway.close(passed < tests)
})
gateway.startTraffic(20)

async function request(role: 'operator' | 'viewer', method: string, path: string, body: object) {
  const response = await fetch(`${gateway.url}/admin/v1/${path}`, {
    method,
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${gateway.keys[role]}`, 'content-type': 'application/json' },
  })
  return { status: response.status, body: (await response.json()) as { code: string; result: string } }
}

/** A disabled route with a password in its options. */
const added = await request('operator', 'PUT', 'routes/with-secret', {
  channels: ['international'],
  protocol: 'smpp',
  priority: 900,
  enabled: false,
  options: { host: '127.0.0.1', port: 9, systemId: 'me', password: 'hidden-4711' },
})
assert.equal(added.status, 200, JSON.stringify(added.body))

const row = (page: Page, id: string) =>
  page.locator('.table tbody tr', { has: page.getByRole('link', { name: id, exact: true }) })

async function openRoute(page: Page, id: string): Promise<void> {
  await openScreen(page, '/routes')
  await row(page, id).getByRole('link', { name: id, exact: true }).click()
  await page.getByRole('heading', { level: 1, name: id }).waitFor()
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
}

/** Chooses an action, checks that its effect is shown before it can be confirmed, and confirms it. */
async function act(page: Page, name: string, effect: RegExp, fill?: () => Promise<void>): Promise<void> {
  await page
    .locator('.acts')
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .click()
  const dialog = page.getByRole('dialog')
  await fill?.()
  await dialog.getByText('Waiting messages', { exact: true }).waitFor()
  await dialog.getByText(effect).first().waitFor()
  await dialog.getByLabel('Reason').fill('a test')
  await dialog.getByRole('button', { name, exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

test('lists routes by severity in both themes', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.viewer)
  await openScreen(page, '/routes')
  // The other route is first until this one is linked.
  const first = page.locator('.table tbody tr').first().filter({ hasText: 'carrier-b' })
  await first.getByText('Not linked to the carrier').waitFor()
  await waitFor('results of the working route', async () =>
    /\d /.test((await row(page, 'carrier-a').locator('.traffic').allInnerTexts()).join('')),
  )
  await row(page, 'carrier-a').getByText('Healthy').waitFor()
  await requireAccessibleInBoth(page, 'routes')
  await page.getByLabel('Health').selectOption('disabled')
  await row(page, 'with-secret').waitFor()
  await page.waitForURL('**/routes?trouble=disabled')
  await waitFor('only that one', async () => (await page.locator('.table tbody tr').count()) === 1)
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await page.getByLabel('Search').fill('nothing')
  await page.getByText('No route matches the filters.').waitFor()
  assert.deepEqual(errors, [])
  passed++
})

test('shows shares, results, settings and masked options of a route', async () => {
  const { page, errors } = await sharePage({ theme: 'dark' })
  await signIn(page, gateway.url, gateway.keys.operator)
  await openRoute(page, 'carrier-a')
  await page.locator('svg.time-chart').waitFor()
  await page.locator('.shares').getByText('Healthy').waitFor()
  await page.getByRole('group', { name: 'Failures' }).getByText('No messages failed.').waitFor()
  await requireAccessible(page, 'route, dark')
  await openRoute(page, 'with-secret')
  await page.getByText('set, hidden').waitFor()
  assert.ok(!(await page.content()).includes('hidden-4711'))
  await openRoute(page, 'carrier-b')
  await page.getByText('contact the carrier').waitFor()
  await page.getByText(/Reason: .*ECONNREFUSED/).waitFor()
  assert.deepEqual(errors, [])
  passed++
})

test('previews, performs and audits each route action', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.operator)
  await openRoute(page, 'carrier-a')
  const badge = page.locator('.page-head .badge')
  await act(page, 'Pause', /New messages wait, because no other route serves: sms/)
  await badge.getByText('Paused by an operator').waitFor()
  await page.getByText('Paused. Applies within').waitFor()
  // No other route serves SMS, so the messages of this test wait.
  const waits = page.locator('.stat', { hasText: 'Waiting' }).locator('dd').first()
  await waitFor('messages that wait', async () => Number.parseInt(await waits.innerText(), 10) > 10)
  await page
    .locator('.acts')
    .getByRole('button', { name: /^Reopen/ })
    .click()
  await page
    .getByRole('dialog')
    .getByText(/are sent over carrier-a/)
    .waitFor()
  await requireAccessible(page, 'preview of an act')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await act(page, 'Set rate', /At this rate the backlog takes about/, () =>
    page.getByLabel('Parts per second').fill('5'),
  )
  await act(page, 'Drain', /New messages fail with 90000/)
  await badge.getByText('Draining').waitFor()
  await act(page, 'Reopen', /are sent over carrier-a/)
  // The route is impaired while messages have waited for more than ten seconds.
  const openState = /Healthy|Impaired/
  await badge.getByText(openState).waitFor({ timeout: 15_000 })
  await act(page, 'Disable', /receipts for submitted messages cannot arrive/)
  await badge.getByText('Disabled').waitFor()
  await act(page, 'Enable', /The route accepts messages again/)
  await badge.getByText(openState).waitFor({ timeout: 15_000 })
  const changes = page.locator('section', {
    has: page.getByRole('heading', { name: 'Changes by operators' }),
  })
  await changes.getByText('0 → 5').waitFor({ timeout: 15_000 })
  await changes.getByText('drain', { exact: true }).waitFor()
  await page.locator('svg.time-chart .mark').first().waitFor()
  assert.deepEqual(errors, [])
  passed++
})

test('a read-only role has no actions, and the API refuses them', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.support)
  await openRoute(page, 'carrier-b')
  await page.getByText('Your role can view routes but not change them.').waitFor()
  assert.equal(await page.locator('.acts').count(), 0)
  const refused = await request('viewer', 'POST', 'routes/carrier-b/pause', { reason: 'a test' })
  assert.deepEqual([refused.status, refused.body.code], [403, 'forbidden'])
  assert.deepEqual(errors, [])
  passed++
})

test('explains the route choice with the decision for every route', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.viewer)
  await openScreen(page, '/routes')
  await page.getByRole('link', { name: 'Explain a route' }).click()
  const explain = async (channel: string, to: string): Promise<void> => {
    await page.getByLabel('Account').fill(gateway.client.credentials.clientId)
    await page.getByLabel('Channel').selectOption(channel)
    await page.getByLabel('Recipient').fill(to)
    await page.getByRole('button', { name: 'Explain' }).click()
  }
  await explain('international', '+819012345678')
  await page.getByText('The message would use carrier-a.').waitFor()
  await page.locator('.rung.taken', { hasText: 'carrier-a' }).waitFor()
  await page.locator('.rung.passed-over', { hasText: 'carrier-b' }).getByText('Is not linked').waitFor()
  await page.locator('.rung.no-match', { hasText: 'with-secret' }).waitFor()
  assert.ok(!page.url().includes('9012345678'))
  await requireAccessible(page, 'explain')
  await explain('sms', '999')
  await page.getByRole('alert').getByText('What to do').waitFor()
  await explain('rcs', '01012345678')
  await page.getByText('The message would use sandbox.').waitFor()
  assert.deepEqual(errors, [])
  passed++
})

test('the screen fits 390 px in Korean', async () => {
  const { page, errors } = await sharePage({ width: 390, locale: 'ko-KR', theme: 'dark' })
  await signIn(page, gateway.url, gateway.keys.operator)
  await openScreen(page, '/routes')
  await page.locator('.table tbody tr').first().getByText('통신사와 연결되지 않음').waitFor()
  await requireNoSidewaysScroll(page, 'routes')
  await page.getByRole('link', { name: 'carrier-b', exact: true }).click()
  await page.getByRole('heading', { name: '설정' }).waitFor()
  await requireNoSidewaysScroll(page, 'route')
  await requireAccessible(page, 'route, 390 px, Korean')
  await page
    .locator('.acts')
    .getByRole('button', { name: /^비우기/ })
    .click()
  await page.getByRole('dialog').getByText('현재 대기 중인 메시지').waitFor()
  await requireNoSidewaysScroll(page, 'dialog')
  assert.deepEqual(errors, [])
  passed++
})
