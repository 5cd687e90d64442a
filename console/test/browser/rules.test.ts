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

/** Returns the report codes that the client sees. */
async function listReportCodes(msgKey: string): Promise<string[]> {
  const { body } = await gateway.client.inquire(msgKey)
  return (body.data?.report ?? []).map(({ reportCode }) => reportCode)
}

const tabs = {
  'Held messages': '/rules',
  'Rules turned off': '/rules/switches',
  Caps: '/rules/caps',
  'Suppressed recipients': '/rules/suppression',
} as const

async function openPart(page: Page, part: keyof typeof tabs): Promise<void> {
  await page.locator('.parts').getByRole('link', { name: part }).click()
  await page.waitForURL(`**${tabs[part]}`)
}

test('shows all sections accessibly in both themes', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.admin)
  await openScreen(page, '/rules')
  const row = page.getByRole('row').filter({ hasText: keys[0]! })
  await row.getByText('link-allowed').waitFor()
  await row.getByText(account).waitFor()
  await page.locator('.part-value', { hasText: /^5$/ }).waitFor()
  await requireAccessibleInBoth(page, 'held')

  await openPart(page, 'Rules turned off')
  await page.getByLabel('Search').fill('premium')
  const rule = page.getByRole('row').filter({ hasText: 'premium-recipient' })
  await rule.waitFor()
  await requireAccessibleInBoth(page, 'rules')
  await page.getByRole('button', { name: 'Clear filters' }).click()
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

test('releases one message and refuses several after showing the effect', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.operator)
  await openScreen(page, '/rules')
  await page.getByRole('button', { name: `Release message ${keys[0]}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('The message is sent within seconds').waitFor()
  await requireAccessible(page, 'the question')
  await confirm(page, 'Release')
  await page.getByText('1 message released.').waitFor()
  await page.getByRole('row').filter({ hasText: keys[0]! }).waitFor({ state: 'detached' })

  for (const key of keys.slice(1, 3)) await page.getByLabel(`Select message ${key}`).check()
  await page.getByText('2 selected').waitFor()
  await page.getByRole('button', { name: 'Refuse selected' }).click()
  await dialog.getByText('Neither the 2 messages nor their fallback steps are sent').waitFor()
  await dialog.getByText(account).waitFor()
  await confirm(page, 'Refuse', 'phishing')
  await page.getByText('2 messages refused.').waitFor()
  // Blocked as spam.
  for (const key of keys.slice(1, 3)) assert.deepEqual(await listReportCodes(key), ['23012'])
  await waitFor(
    'the report of the released message',
    async () => (await listReportCodes(keys[0]!)).length === 1,
  )

  await page.getByLabel('Account', { exact: true }).fill('nobody')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.waitForURL('**/rules?account=nobody')
  await page.getByText('No held message matches the filters.').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('row').filter({ hasText: keys[4]! }).waitFor()
  assert.deepEqual(errors, [])
})

test('an admin turns a rule on; operator and reason are shown', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.admin)
  await openScreen(page, '/rules')
  await openPart(page, 'Rules turned off')
  await page.getByLabel('Search').fill('premium-recipient')
  await page.getByRole('button', { name: 'Turn on premium-recipient' }).click()
  await page.getByRole('dialog').getByText('that violate the rule are refused with A306').waitFor()
  await confirm(page, 'Turn on', 'numbers of games')
  const row = page.getByRole('row').filter({ hasText: 'premium-recipient' })
  await row.getByText('On', { exact: true }).waitFor()
  await row.getByText('numbers of games').waitFor()
  await row.getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('dialog').getByText('The rule stops applying within two seconds').waitFor()
  await confirm(page, 'Turn off')
  await row.getByText('Off', { exact: true }).waitFor()
  assert.deepEqual(errors, [])
})

test('adds, looks up and removes a recipient without its number in any address', async () => {
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
  await page.getByRole('button', { name: 'Add to the list' }).click()
  await page
    .getByRole('dialog')
    .getByText(`advertisements of ${account} are no longer sent to them`)
    .waitFor()
  await confirm(page, 'Add to the list', 'called')
  await page.getByText('Changed entries: 2.').waitFor()
  await page.getByLabel('Numbers').fill('010-5555-6666')
  await page.getByRole('button', { name: 'Look up' }).click()
  await confirm(page, 'Look up', 'asked by the recipient')
  const known = page.locator('.known')
  await known.getByText('Suppressed', { exact: true }).waitFor()
  await known.getByText('operator').waitFor()
  await requireAccessible(page, 'a recipient')
  await page.getByRole('button', { name: 'Remove from the list' }).click()
  await confirm(page, 'Remove from the list', 'asked by the recipient')
  await page.getByText('Changed entries: 1.').waitFor()
  await page.getByLabel('Numbers').fill('what')
  await page.getByRole('button', { name: 'Add to the list' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('called')
  await page.getByRole('dialog').getByRole('button', { name: 'Add to the list' }).click()
  await page.getByRole('alert').getByText('number 1 is invalid').waitFor()
  assert.ok(addresses.length > 0 && !addresses.some((address) => /5555/.test(address)))
  assert.deepEqual(errors, [])
})

test('a read-only role sees whom to ask; fits 390 px in Korean', async () => {
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
