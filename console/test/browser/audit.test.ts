import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { appendAudit } from '../../../gateway/src/identity/audit/queries.ts'
import { openDatabase } from '../../../gateway/src/platform/database/database.ts'
import { createTestAuditContext } from '../../../gateway/test/support/audit-context.ts'
import { silentLog } from '../../../gateway/test/support/silent-log.ts'
import {
  openScreen,
  requireAccessible,
  requireAccessibleInBoth,
  requireNoSidewaysScroll,
  signIn,
} from '../support/browser.ts'
import { addAuditRows } from '../support/audit-rows.ts'
import { openConsole } from '../support/console-installation.ts'
import { sharePage } from '../support/shared-browser.ts'
import { waitFor } from '../support/wait.ts'

/** Index of the reason in a row of the exported CSV. */
const reasonColumn = 9

const gateway = await openConsole()
const database = openDatabase(gateway.installation.databaseUrl, silentLog, { connections: 2 })
let failed = true
after(async () => {
  await database.end()
  await gateway.close(failed)
})
await addAuditRows(gateway.installation.databaseUrl, 55)

test('lists, filters and opens rows in both themes', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.operator)
  await openScreen(page, '/audit')
  const status = page.locator('.chain')
  await status.getByText('Intact').waitFor()
  await status.getByText(/^All \d+ rows verified/).waitFor()

  await page.getByLabel('Action', { exact: true }).fill('route')
  await page.getByLabel('Operator', { exact: true }).fill('lee')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.waitForURL('**/audit?actor=lee&action=route')
  const rows = page.getByRole('row')
  await rows.filter({ hasText: 'carrier slow' }).waitFor()
  // The unfiltered list is shown until the filtered rows arrive. The header is a row as well.
  await waitFor('the filtered rows', async () => (await rows.count()) === 2)
  await requireAccessibleInBoth(page, 'audit')
  await page.getByLabel('Result').selectOption('Refused')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByText('No row matches the filters.').waitFor()
  await page.goBack()
  await rows.filter({ hasText: 'carrier slow' }).waitFor()

  await rows.filter({ hasText: 'carrier slow' }).getByRole('link').first().click()
  const change = rows.filter({ hasText: 'options.partsPerSecond' })
  await change.locator('del', { hasText: '100' }).waitFor()
  await change.locator('ins', { hasText: '20' }).waitFor()
  assert.equal(await rows.filter({ hasText: 'options.host' }).count(), 0)
  await requireAccessibleInBoth(page, 'a row')
  await page.getByRole('link', { name: 'All rows of this request' }).click()
  await page.getByText('Only rows of request').waitFor()
  assert.deepEqual(errors, [])
})

test('its filters do not overlap after another screen with filters', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.operator)
  await openScreen(page, '/routes')
  await page.getByRole('link', { name: 'carrier-a', exact: true }).waitFor()
  await openScreen(page, '/audit')
  await page.getByLabel('Until', { exact: true }).waitFor()
  const boxOf = async (label: string) => (await page.getByLabel(label, { exact: true }).boundingBox())!
  const [from, until] = [await boxOf('From'), await boxOf('Until')]
  assert.ok(from.x + from.width <= until.x || from.y + from.height <= until.y, 'From covers Until')
  assert.deepEqual(errors, [])
})

test('loads the log by page', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.operator)
  await openScreen(page, '/audit')
  await page.getByText('50 rows', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Load more' }).click()
  await page.getByText(/^(?!50 )\d+ rows$/).waitFor()
  assert.deepEqual(errors, [])
})

test('exports matching rows without formulas and audits the export', async () => {
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.operator)
  await openScreen(page, '/audit')
  await page.getByLabel('Operator', { exact: true }).fill('eve')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.waitForURL('**/audit?actor=eve')
  await page.getByRole('button', { name: 'Export as CSV' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('The export is recorded.').waitFor()
  await dialog.getByLabel('Reason').fill('monthly review')
  const downloading = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Export as CSV' }).click()
  const csv = await readFile(await (await downloading).path(), 'utf8')
  await page.getByText(/^Saved 4 rows to audit-.*\.csv\.$/).waitFor()
  const cells = csv
    .split('\r\n')
    .slice(1, 5)
    .map((line) => line.split(',')[reasonColumn])
  assert.deepEqual(cells.sort(), [`'=cmd()`, `'+1`, `'-1`, `'@x`].sort())
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('row').filter({ hasText: 'audit export' }).getByText('Viewed').waitFor()
  assert.deepEqual(errors, [])
})

test('explains a missing right; fits 390 px in Korean', async () => {
  const viewer = await sharePage()
  await signIn(viewer.page, gateway.url, gateway.keys.viewer)
  await openScreen(viewer.page, '/audit')
  await viewer.page.getByText('Your role viewer cannot read the audit log.').waitFor()
  assert.deepEqual(viewer.errors, [])
  const { page, errors } = await sharePage({ width: 390, locale: 'ko-KR' })
  await signIn(page, gateway.url, gateway.keys.operator)
  await openScreen(page, '/audit')
  await page.getByText('이상 없음').waitFor()
  await page.getByRole('row').nth(2).waitFor()
  await requireNoSidewaysScroll(page, 'audit')
  await requireAccessible(page, 'audit, 390 px')
  await page.locator('tbody th a').first().click()
  await page.getByRole('heading', { level: 1, name: '감사 기록' }).waitFor()
  await requireNoSidewaysScroll(page, 'a row')
  assert.deepEqual(errors, [])
})

test('detects a changed row and shows its number and advice', async () => {
  await appendAudit(database, createTestAuditContext('mallory', 'before'), {
    action: 'account block',
    result: 'done',
    target: 'shop-1',
  })
  await database.query('alter table audit_log disable trigger all')
  await database.query(`update audit_log set reason = 'after' where actor = 'mallory'`)
  await database.query('alter table audit_log enable always trigger audit_log_chain')
  await database.query('alter table audit_log enable always trigger audit_log_append_only')
  const { page, errors } = await sharePage()
  await signIn(page, gateway.url, gateway.keys.operator)
  await openScreen(page, '/audit')
  const chain = page.locator('.chain')
  const alert = chain.getByRole('alert')
  // The API caches its response for ten seconds, so the check is repeated.
  await waitFor(
    'the changed row to be found',
    async () => {
      await chain.getByRole('button', { name: /Verify/ }).click()
      return alert.isVisible()
    },
    1_000,
  )
  await alert.getByText(/row \d+ was changed/).waitFor()
  await alert.getByText('Preserve the database').waitFor()
  await chain.getByText('Broken').waitFor()
  await requireAccessible(page, 'a broken chain')
  assert.deepEqual(errors, [])
  failed = false
})
