/**
 * Creates client users with a key, as `postern operator add --role client` and `postern operator key rotate` do, and signs them
 * in to the console.
 */
import type { Page } from 'playwright-core'
import { findAccountId } from '../../../gateway/src/identity/accounts/queries.ts'
import { openDatabase } from '../../../gateway/src/platform/database/database.ts'
import { addTestOperator } from '../../../gateway/test/support/http/operators.ts'
import { silentLog } from '../../../gateway/test/support/silent-log.ts'

/** Returns the key. */
export async function addClientLogin(databaseUrl: string, name: string, clientId: string): Promise<string> {
  const database = openDatabase(databaseUrl, silentLog, { connections: 1 })
  try {
    return await addTestOperator(database, name, 'client', await findAccountId(database, clientId))
  } finally {
    await database.end()
  }
}

/** Opens the console and signs in. */
export async function signInAsClient(page: Page, url: string, key: string): Promise<void> {
  await page.goto(url)
  await page.locator('.button.link').click()
  await page.locator('input[type=password]').fill(key)
  await page.locator('button[type=submit]').click()
  await page.locator('main h1').waitFor()
  await page.locator('.nav').waitFor({ state: 'attached' })
}
