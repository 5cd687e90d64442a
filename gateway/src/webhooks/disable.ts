/** The end of a webhook that wants no more or only fails: disabled, and its owner told on every way there is. */
import { randomUUID } from 'node:crypto'
import { inTransaction, type Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Notice } from './body.ts'
import { keepFailures } from './positions.ts'
import { disableWebhook, readWebhooks } from './queries.ts'
import type { DisabledWhy, Webhook } from './webhook.ts'

export interface DisableContext {
  readonly database: Database
  readonly metrics: Metrics
  readonly log: Log
}

export async function disableAndTell(
  { database, metrics, log }: DisableContext,
  webhook: Pick<Webhook, 'id' | 'accountId' | 'url'>,
  why: DisabledWhy,
  now: Date,
): Promise<void> {
  const { id, accountId, url } = webhook
  const disabled = await inTransaction(database, async (transaction) => {
    if (!(await disableWebhook(transaction, id, why))) return false
    const others = await readWebhooks(transaction, accountId)
    const notice: Notice = {
      type: 'webhook.disabled',
      timestamp: now.toISOString(),
      data: { webhookId: id, url, reason: why },
    }
    const eventId = `notice-${randomUUID()}`
    // As deliveries that are due: they are pushed like everything else, and tried again like it.
    await keepFailures(
      transaction,
      others
        .filter((other) => other.enabled && other.notices)
        .map((other) => ({
          ...{ webhookId: other.id, eventId, msgKey: null, step: null, notice, createdAt: now },
          ...{ tries: 0, retryAt: now, failedAt: now, httpStatus: null, error: '' },
        })),
    )
    return true
  })
  if (!disabled) return
  metrics.webhooksDisabled.inc({ reason: why })
  log.warn({ account: accountId, webhook: id, why }, 'webhook disabled; its reports are there by polling')
}
