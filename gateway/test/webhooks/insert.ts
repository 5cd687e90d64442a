/** A webhook of an account, as it is stored. */
import type { Database } from '../../src/platform/database.ts'
import { insertWebhook } from '../../src/webhooks/queries.ts'
import {
  createSecret,
  createWebhookId,
  webhookDefaults,
  webhooksPerAccount,
} from '../../src/webhooks/webhook.ts'

/** Returns its id. */
export async function insertTestWebhook(
  database: Database,
  accountId: number,
  given: Partial<Parameters<typeof insertWebhook>[1]> & { readonly url: string },
): Promise<string> {
  const id = createWebhookId(new Date())
  const webhook = { ...webhookDefaults, id, accountId, secret: createSecret(), ...given }
  await insertWebhook(database, webhook, webhooksPerAccount)
  return id
}
