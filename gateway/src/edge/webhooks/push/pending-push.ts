/** Sends one push to a webhook, and builds the records of its result. */
import type { MessageTrace } from '../../../jobs/message-trace.ts'
import { clock } from '../../../platform/time/clock.ts'
import { summarizeError } from '../../../platform/logging/log-error.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import type { FormatTime } from '../../../contract/times.ts'
import { toReplyRecord } from '../../../records/replies/reply.ts'
import { reportBody } from '../body.ts'
import type { PushedWebhook } from './ownership.ts'
import { expectedMsgKey, type Connections, type PushOutcome } from './push.ts'
import type { DueDelivery } from './push-source.ts'
import type { FailedDelivery } from '../queries.ts'
import { computeRetryTime } from './retry-schedule.ts'
import { signedHeaders } from './sign.ts'
import type { AttemptLog } from './attempt-log.ts'
import { pushLifetimeMs } from '../webhook.ts'

/** Position of a report in the account's order; the cursor passes it once it is done. */
export interface Position {
  readonly seq: number
  done: boolean
}

/** A report, reply or notice for one webhook. `position` is null for a delivery with its own row. */
export type PendingPush = Omit<DueDelivery, 'webhookId'> & { readonly position: Position | null }

export type FailedOutcome = Exclude<PushOutcome, { kind: 'acknowledged' }>

export interface PushContext {
  readonly connections: Connections
  readonly formatPreciseTime: FormatTime
  readonly trace?: MessageTrace | undefined
}

/** Returns null if the push has expired. Never throws: an error here must not stop the endpoint worker. */
export async function sendPush(
  push: PendingPush,
  webhook: PushedWebhook,
  context: PushContext,
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
  webhook: PushedWebhook,
  { connections, formatPreciseTime, trace }: PushContext,
): Promise<PushOutcome> {
  const { url, timeoutSeconds, acknowledgement } = webhook
  const body =
    report !== null
      ? reportBody(report, formatPreciseTime, webhook)
      : JSON.stringify(reply === null ? notice : toReplyRecord(reply, formatPreciseTime))
  const key = report?.msgKey ?? reply?.replyKey
  const traceparent =
    report === null ? undefined : trace?.toTraceparent({ ...report, tries, webhookId: webhook.id })
  const traceHeader = traceparent === undefined ? {} : { traceparent }
  return connections.push({
    url,
    body,
    headers: { ...signedHeaders(webhook, eventId, body, clock.date()), ...traceHeader },
    timeoutMs: timeoutSeconds * 1000,
    msgKey: key === undefined ? null : expectedMsgKey(acknowledgement, key),
  })
}

/** Builds the failure record: retry time, or abandoned. A null `outcome` means that the push had expired. */
export function buildFailure(
  push: PendingPush,
  outcome: FailedOutcome | null,
  scheduleMs: readonly number[],
  failedAt: Date,
): FailedDelivery {
  const { createdAt, notice, report, reply, eventId } = push
  const tries = outcome === null ? push.tries : push.tries + 1
  const retryAfterMs = outcome?.kind === 'failed' ? outcome.retryAfterMs : null
  const retryAt = outcome === null ? null : computeRetryTime({ tries, createdAt, retryAfterMs }, scheduleMs)
  return {
    eventId,
    notice,
    createdAt,
    tries,
    retryAt,
    failedAt,
    msgKey: report?.msgKey ?? reply?.replyKey ?? null,
    step: report?.step ?? null,
    httpStatus: outcome?.httpStatus ?? null,
    error: outcome?.error ?? 'not pushed: older than three days',
  }
}

/** Records the trace of an attempt; `startedMs` is a value of `performance.now()`. */
export function traceAttempt(
  trace: MessageTrace,
  { report, tries }: PendingPush,
  webhookId: string,
  { kind, httpStatus }: PushOutcome,
  startedMs: number,
): void {
  if (report === null) return
  const result = { httpStatus, isAcknowledged: kind === 'acknowledged' }
  trace.addPushed({ msgKey: report.msgKey, tries, webhookId }, result, { startedMs })
}

export interface AttemptRecordContext {
  readonly metrics: Metrics
  readonly tries: AttemptLog
  readonly at: Date
  readonly trace: MessageTrace | undefined
}

/** Records metrics for the operator, and an attempt in the log for the webhook's owner. */
export function recordAttempt(
  { eventId, notice, report, createdAt }: PendingPush,
  outcome: PushOutcome,
  ms: number,
  { metrics, tries, at, trace }: AttemptRecordContext,
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
