import type { Database } from '../../../src/platform/database/database.ts'
import { insertWebhook } from '../../../src/edge/webhooks/queries.ts'
import {
  createSecret,
  createWebhookId,
  webhookDefaults,
  webhooksPerAccount,
} from '../../../src/edge/webhooks/webhook.ts'

/** Inserts a webhook of an account and returns its id. */
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
