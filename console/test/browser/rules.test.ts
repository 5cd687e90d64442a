/** Held messages, rules, suppressed recipients and caps in a real browser: what is shown, each act with its effect told first, and refusals. */
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
import { holdSuspicious, sendSuspicious } from '../support/held-messages.ts'
import { sharePage } from '../support/shared-browser.ts'
import { waitFor } from '../support/wait.ts'

const gateway = await openConsole()
let failed = true
after(async () => {
  await gateway.close(failed)
})
const account = gateway.client.credentials.clientId
await holdSuspicious(gateway)
const keys = await sendSuspicious(gateway, 5)

async function confirm(page: Page, button: string, reason = 'known sender'): Promise<void> {
  await page.getByRole('dialog').getByLabel('Reason').fill(reason)
  await page.getByRole('dialog').getByRole('button', { name: button }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** Report codes that the client sees. */
async function codesOf(msgKey: string): Promise<string[]> {
  const { body } = await gateway.client.inquire(msgKey)
  return (body.data?.report ?? []).map(({ reportCode }) => reportCode)
}

const tabs = {
  'Held messages': '/rules',
  'Rules off': '/rules/switches',
  Caps: '/rules/caps',
  'Suppressed recipients': '/rules/suppression',
} as const

async function openPart(page: Page, part: keyof typeof tabs): Promise<void> {
  await page.locator('.parts').getByRole('link', { name: part }).click()
  await page.waitForURL(`**${tabs[part]}`)
}

test('all parts are shown and accessible, in both themes', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.admin)
  await openScreen(page, '/rules')
  const row = page.getByRole('row').filter({ hasText: keys[0]! })
  await row.getByText('link-allowed').waitFor()
  await row.getByText(account).waitFor()
  await page.locator('.part-value', { hasText: /^5$/ }).waitFor()
  await requireAccessibleInBoth(page, 'held')

  await openPart(page, 'Rules off')
  await page.getByLabel('Find').fill('premium')
  const rule = page.getByRole('row').filter({ hasText: 'premium-recipient' })
  await rule.waitFor()
  await requireAccessibleInBoth(page, 'rules')
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await page.getByText('Always on').first().waitFor()

  await openPart(page, 'Caps')
  await page.getByText('9 of 10 · 90 %').waitFor()
  await page.getByText('Nearly used', { exact: true }).waitFor()
  await requireAccessibleInBoth(page, 'caps')

  await openPart(page, 'Suppressed recipients')
  await page.getByLabel('Numbers').waitFor()
  await requireAccessibleInBoth(page, 'suppression')
  assert.deepEqual(errors, [])
})

test('one message is released and several are refused, each with its effect told first', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.operator)
  await openScreen(page, '/rules')
  await page.getByRole('button', { name: `Release message ${keys[0]}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('It is sent within seconds').waitFor()
  await requireAccessible(page, 'the question')
  await confirm(page, 'Release')
  await page.getByText('1 message is released.').waitFor()
  await page.getByRole('row').filter({ hasText: keys[0]! }).waitFor({ state: 'detached' })

  for (const key of keys.slice(1, 3)) await page.getByLabel(`Select message ${key}`).check()
  await page.getByText('2 selected').waitFor()
  await page.getByRole('button', { name: 'Refuse selected' }).click()
  await dialog.getByText('The 2 messages end now and are not sent').waitFor()
  await dialog.getByText(account).waitFor()
  await confirm(page, 'Refuse', 'phishing')
  await page.getByText('2 messages are refused.').waitFor()
  for (const key of keys.slice(1, 3)) assert.deepEqual(await codesOf(key), ['23012'])
  await waitFor('the report of the released message', async () => (await codesOf(keys[0]!)).length === 1)

  // The filter is in the address.
  await page.getByLabel('Account', { exact: true }).fill('nobody')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.waitForURL('**/rules?account=nobody')
  await page.getByText('Nothing is held that matches the filter.').waitFor()
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await page.getByRole('row').filter({ hasText: keys[4]! }).waitFor()
  assert.deepEqual(errors, [])
})

test('a rule is turned on by an admin, and who did it and why is shown', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.admin)
  await openScreen(page, '/rules')
  await openPart(page, 'Rules off')
  await page.getByLabel('Find').fill('premium-recipient')
  await page.getByRole('button', { name: 'Turn on premium-recipient' }).click()
  await page.getByRole('dialog').getByText('New sends that break it are refused with A306').waitFor()
  await confirm(page, 'Turn on', 'numbers of games')
  const row = page.getByRole('row').filter({ hasText: 'premium-recipient' })
  await row.getByText('On', { exact: true }).waitFor()
  await row.getByText('numbers of games').waitFor()
  await row.getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('dialog').getByText('Running processes stop to enforce it').waitFor()
  await confirm(page, 'Turn off')
  await row.getByText('Off', { exact: true }).waitFor()
  assert.deepEqual(errors, [])
})

test('a recipient is entered, looked up and removed, and the number is in no address', async () => {
  const { page, errors } = await sharePage()
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  page.on('framenavigated', (frame) => addresses.push(frame.url()))
  await signIn(page, gateway.url, gateway.keys.support)
  await openScreen(page, '/rules')
  await openPart(page, 'Suppressed recipients')
  await page.getByLabel('Account', { exact: true }).fill(account)
  await page.getByLabel('Numbers').fill('010-5555-6666\n010-5555-7777')
  assert.ok(await page.getByRole('button', { name: 'Look up' }).isDisabled())
  await page.getByRole('button', { name: 'Enter in the list' }).click()
  await page.getByRole('dialog').getByText(`no advertisement of ${account} is sent to them`).waitFor()
  await confirm(page, 'Enter in the list', 'called')
  await page.getByText('2 entries changed.').waitFor()
  await page.getByLabel('Numbers').fill('010-5555-6666')
  await page.getByRole('button', { name: 'Look up' }).click()
  await confirm(page, 'Look up', 'asked by the recipient')
  const known = page.locator('.known')
  await known.getByText('Suppressed', { exact: true }).waitFor()
  await known.getByText('an operator').waitFor()
  await requireAccessible(page, 'a recipient')
  await page.getByRole('button', { name: 'Remove from the list' }).click()
  await confirm(page, 'Remove from the list', 'asked by the recipient')
  await page.getByText('1 entries changed.').waitFor()
  await page.getByLabel('Numbers').fill('what')
  await page.getByRole('button', { name: 'Enter in the list' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('called')
  await page.getByRole('dialog').getByRole('button', { name: 'Enter in the list' }).click()
  await page.getByRole('alert').getByText('number 1 is not a recipient').waitFor()
  assert.ok(addresses.length > 0 && !addresses.some((address) => /5555/.test(address)))
  assert.deepEqual(errors, [])
})

test('who may only read sees who may decide, and no buttons; it fits 390 px in Korean', async () => {
  const { page, errors } = await sharePage({ width: 390, locale: 'ko-KR' })
  await signIn(page, gateway.url, gateway.keys.viewer)
  await openScreen(page, '/rules')
  await page.getByText('운영자 또는 관리자에게 요청하세요').waitFor()
  await page.getByText(keys[4]!).waitFor()
  assert.equal(await page.locator('main').getByRole('button', { name: '발송 허용' }).count(), 0)
  await requireNoSidewaysScroll(page, 'held')
  await requireAccessible(page, 'held, 390 px')
  for (const path of ['/rules/switches', '/rules/suppression', '/rules/caps']) {
    await page.locator(`.parts a[href="${path}"]`).click()
    await page.waitForURL(`**${path}`)
    await requireNoSidewaysScroll(page, path)
  }
  assert.deepEqual(errors, [])
  failed = false
})
