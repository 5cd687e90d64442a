import type { Queryable } from '../../../platform/database/database.ts'
import { readAttemptLog, type PushAttempt } from './attempt-log.ts'
import { pushLifetimeMs } from '../webhook.ts'

/**
 * `acknowledged`: the receiver has it. `retrying`: it will be retried. `given-up`: the retries are exhausted.
 * `queued`: it is pushed soon. `disabled`: it waits until the webhook is enabled. `earlier`: the report is
 * older than the webhook and is not pushed. `forgotten`: the report is too old to be pushed, and the result
 * of its push is no longer stored.
 */
export const pushStates = [
  'acknowledged',
  'retrying',
  'given-up',
  'queued',
  'disabled',
  'earlier',
  'forgotten',
] as const
export type PushState = (typeof pushStates)[number]

export interface MessagePush {
  readonly webhookId: string
  readonly url: string
  readonly step: number
  readonly state: PushState
  /** Number of failed attempts; null if none is stored. */
  readonly tries: number | null
  /** Time of the last known attempt. */
  readonly triedAt: Date | string | null
  readonly retryAt: Date | null
  readonly httpStatus: number | null
  /** Empty if the last known attempt was acknowledged, or no attempt is known. */
  readonly error: string
}

interface Row {
  readonly webhookId: string
  readonly url: string
  readonly enabled: boolean
  readonly step: number
  readonly eventId: string
  readonly passed: boolean
  readonly reportedAt: Date
  readonly webhookAt: Date
  readonly tries: number | null
  readonly retryAt: Date | null
  readonly failedAt: Date | null
  readonly httpStatus: number | null
  readonly error: string | null
}

/**
 * Returns the pushes of a message, each report with each webhook of its account, by webhook and step. The
 * number is not limited here, because an account has at most 20 webhooks.
 */
export async function readMessagePushes(
  database: Queryable,
  msgKey: string,
  now: Date,
): Promise<MessagePush[]> {
  const { rows } = await database.query<Row>(
    `select w.id as "webhookId", w.url, w.enabled, r.step, r.msg_key || '-' || r.step as "eventId", r.seq <= c.seq as passed,
            r.created_at as "reportedAt", w.created_at as "webhookAt", d.tries, d.retry_at as "retryAt", d.failed_at as "failedAt",
            d.http_status as "httpStatus", d.error
       from reports r
       join webhooks w on w.account_id = r.account_id and w.events = 'reports'
       join webhook_cursors c on c.webhook_id = w.id
       left join webhook_deliveries d on d.webhook_id = w.id and d.event_id = r.msg_key || '-' || r.step
      where r.msg_key = $1 order by w.id, r.step`,
    [msgKey],
  )
  const logs = new Map<string, Map<string, PushAttempt>>()
  for (const { webhookId } of rows)
    if (!logs.has(webhookId)) {
      const tries = await readAttemptLog(database, webhookId)
      // Entries are sorted by time, so the map keeps the last one of each event.
      logs.set(webhookId, new Map(tries.map((entry) => [entry.eventId, entry])))
    }
  return rows.map((row) => toPush(row, logs.get(row.webhookId)?.get(row.eventId), now))
}

function toPush(row: Row, last: PushAttempt | undefined, now: Date): MessagePush {
  const { webhookId, url, step, tries, retryAt, failedAt } = row
  return {
    webhookId,
    url,
    step,
    tries,
    retryAt,
    state: computeState(row, now),
    triedAt: last?.at ?? (tries === 0 ? null : failedAt),
    // Both values must come from the same attempt.
    httpStatus: last === undefined ? row.httpStatus : last.httpStatus,
    error: last === undefined ? (row.error ?? '') : last.error,
  }
}

function computeState(row: Row, now: Date): PushState {
  const { enabled, passed, reportedAt, webhookAt, tries, retryAt } = row
  if (tries !== null) {
    if (retryAt === null) return 'given-up'
    if (!enabled) return 'disabled'
    // A replay begins without an attempt.
    return tries === 0 ? 'queued' : 'retrying'
  }
  if (reportedAt < webhookAt) return 'earlier'
  if (now.getTime() - reportedAt.getTime() > pushLifetimeMs) return 'forgotten'
  if (passed) return 'acknowledged'
  return enabled ? 'queued' : 'disabled'
}
