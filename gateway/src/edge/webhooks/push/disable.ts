import { randomUUID } from 'node:crypto'
import { inTransaction, type Database } from '../../../platform/database/database.ts'
import type { Log } from '../../../platform/logging/log.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import type { Notice } from '../body.ts'
import { saveFailures } from './save-progress.ts'
import { disableWebhook, readWebhooks } from '../queries.ts'
import { maskedUrl, type DisableReason, type Webhook } from '../webhook.ts'

export interface DisableContext {
  readonly database: Database
  readonly metrics: Metrics
  readonly log: Log
}

/**
 * Disables a webhook that returned 410 or whose pushes all fail. A notice to the account's other webhooks tells its
 * owner, a metric and a log line tell the operator.
 */
export async function disableAndNotify(
  { database, metrics, log }: DisableContext,
  webhook: Pick<Webhook, 'id' | 'accountId' | 'url'>,
  reason: DisableReason,
  now: Date,
): Promise<void> {
  const { id, accountId, url } = webhook
  const disabled = await inTransaction(database, async (transaction) => {
    if (!(await disableWebhook(transaction, id, reason))) return false
    const others = await readWebhooks(transaction, accountId)
    const notice: Notice = {
      type: 'webhook.disabled',
      timestamp: now.toISOString(),
      // The notice is stored and sent to other receivers, so it excludes the path and query, which may hold a
      // token.
      data: { webhookId: id, url: maskedUrl(url), reason },
    }
    const eventId = `notice-${randomUUID()}`
    // Store notices as due deliveries, so they are pushed and retried like reports.
    await saveFailures(
      transaction,
      others
        .filter((other) => other.enabled && other.notices)
        .map((other) => ({
          webhookId: other.id,
          eventId,
          msgKey: null,
          step: null,
          notice,
          createdAt: now,
          tries: 0,
          retryAt: now,
          failedAt: now,
          httpStatus: null,
          error: '',
        })),
    )
    return true
  })
  if (!disabled) return
  metrics.webhooksDisabled.inc({ reason })
  log.warn(
    { account: accountId, webhook: id, reason },
    'webhook disabled: its reports are no longer pushed, polling still returns them; correct the URL or its receiver, then enable it again',
  )
}
