/**
 * One report, reply or notice for one webhook: how it is sent, what a failure stores, and what is recorded of a try. Writes no
 * table.
 */
import type { MessageTrace } from '../jobs/message-trace.ts'
import { clock } from '../platform/clock.ts'
import { summarizeError } from '../platform/log-error.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { FormatTime } from '../contract/times.ts'
import { toReplyRecord } from '../records/replies/reply.ts'
import { reportBody } from './body.ts'
import type { OwnedWebhook } from './ownership.ts'
import { expectedMsgKey, type Connections, type PushOutcome } from './push.ts'
import type { DueDelivery } from './push-source.ts'
import type { FailedDelivery } from './save-progress.ts'
import { nextTry } from './retry-schedule.ts'
import { signedHeaders } from './sign.ts'
import type { TryLog } from './try-log.ts'
import { pushLifetimeMs } from './webhook.ts'

/** A report's position in the account's order; the cursor passes it once it is done. */
export interface Position {
  readonly seq: number
  done: boolean
}

/** `position` is null for a delivery that has a row of its own. */
export type PendingPush = Omit<DueDelivery, 'webhookId'> & { readonly position: Position | null }

export type FailedOutcome = Exclude<PushOutcome, { kind: 'acknowledged' }>

export interface SendContext {
  readonly connections: Connections
  readonly formatPreciseTime: FormatTime
  readonly trace?: MessageTrace | undefined
}

/** Null: too old to be pushed. Never throws: an error in this code must not stop the endpoint worker. */
export async function sendPush(
  push: PendingPush,
  webhook: OwnedWebhook,
  context: SendContext,
): Promise<PushOutcome | null> {
  if (clock.hasPassed(push.createdAt.getTime() + pushLifetimeMs)) return null
  try {
    return await send(push, webhook, context)
  } catch (error) {
    const text = `not pushed: ${summarizeError(error)}`
    return { kind: 'failed', httpStatus: null, error: text, retryAfterMs: null, slowDown: false }
  }
}

function send(
  { report, reply, notice, eventId, tries }: PendingPush,
  webhook: OwnedWebhook,
  { connections, formatPreciseTime, trace }: SendContext,
): Promise<PushOutcome> {
  const { url, timeoutSeconds, acknowledgement } = webhook
  const body =
    report !== null
      ? reportBody(report, formatPreciseTime, webhook)
      : JSON.stringify(reply === null ? notice : toReplyRecord(reply, formatPreciseTime))
  const key = report?.msgKey ?? reply?.replyKey
  const traceparent =
    report === null ? undefined : trace?.traceparentOf({ ...report, tries, webhookId: webhook.id })
  const traceHeader = traceparent === undefined ? {} : { traceparent }
  return connections.push({
    url,
    body,
    headers: { ...signedHeaders(webhook, eventId, body, clock.date()), ...traceHeader },
    timeoutMs: timeoutSeconds * 1000,
    msgKey: key === undefined ? null : expectedMsgKey(acknowledgement, key),
  })
}

/** With the time of the next try, or given up. Without an outcome the push was too old to be tried. */
export function failureOf(
  push: PendingPush,
  outcome: FailedOutcome | null,
  scheduleMs: readonly number[],
  failedAt: Date,
): FailedDelivery {
  const { createdAt, notice, report, reply, eventId } = push
  const tries = outcome === null ? push.tries : push.tries + 1
  const retryAfterMs = outcome?.kind === 'failed' ? outcome.retryAfterMs : null
  const retryAt = outcome === null ? null : nextTry({ tries, createdAt, retryAfterMs }, scheduleMs)
  return {
    ...{ eventId, notice, createdAt, tries, retryAt, failedAt },
    msgKey: report?.msgKey ?? reply?.replyKey ?? null,
    step: report?.step ?? null,
    httpStatus: outcome?.httpStatus ?? null,
    error: outcome?.error ?? 'not pushed: the report is older than three days',
  }
}

/** `startedMs`: by `performance.now()`. */
export function traceTry(
  trace: MessageTrace,
  { report, tries }: PendingPush,
  webhookId: string,
  { kind, httpStatus }: PushOutcome,
  startedMs: number,
): void {
  if (report === null) return
  const result = { httpStatus, isAcknowledged: kind === 'acknowledged' }
  trace.pushed({ msgKey: report.msgKey, tries, webhookId }, result, { startedMs })
}

export interface TryContext {
  readonly metrics: Metrics
  readonly tries: TryLog
  readonly at: Date
  readonly trace: MessageTrace | undefined
}

/** Metrics for the operator, and an entry in the log of tries for the webhook's owner. */
export function recordTry(
  { eventId, notice, report, createdAt }: PendingPush,
  outcome: PushOutcome,
  ms: number,
  { metrics, tries, at, trace }: TryContext,
): void {
  const acknowledged = outcome.kind === 'acknowledged'
  const exemplarLabels = report === null ? {} : (trace?.exemplarLabels(report.msgKey) ?? {})
  metrics.webhookPushes.inc({ result: acknowledged ? 'acknowledged' : 'failed' })
  metrics.webhookPushSeconds.observe({ value: ms / 1000, exemplarLabels })
  if (acknowledged && notice === null) {
    const lagMs = Math.max(0, at.getTime() - createdAt.getTime())
    metrics.webhookLagSeconds.observe({ value: lagMs / 1000, exemplarLabels })
  }
  tries.add({
    at: at.toISOString(),
    eventId,
    httpStatus: outcome.httpStatus,
    ms: Math.round(ms),
    error: acknowledged ? '' : outcome.error,
  })
}
