/** The login of a client, with a key of its own, as after `postern operator add --role client` and `postern operator key rotate`. */
import type { Page } from 'playwright-core'
import { findAccountId } from '../../../gateway/src/accounts/queries.ts'
import { openDatabase } from '../../../gateway/src/platform/database.ts'
import { addOperator } from '../../../gateway/test/support/operators.ts'
import { quietLog } from '../../../gateway/test/support/silent-log.ts'

/** Returns its key. */
export async function addClientLogin(databaseUrl: string, name: string, clientId: string): Promise<string> {
  const database = openDatabase(databaseUrl, quietLog, { connections: 1 })
  try {
    return await addOperator(database, name, 'client', await findAccountId(database, clientId))
  } finally {
    await database.end()
  }
}

/** Opens the address, and signs in there. */
export async function signInAsClient(page: Page, address: string, key: string): Promise<void> {
  await page.goto(address)
  await page.locator('.button.link').click()
  await page.locator('input[type=password]').fill(key)
  await page.locator('button[type=submit]').click()
  await page.locator('main h1').waitFor()
  await page.locator('.nav').waitFor({ state: 'attached' })
}
