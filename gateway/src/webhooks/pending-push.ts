/** One report or notice on its way to one webhook: how it is sent, and what is kept of it when it fails. Writes no table. */
import { summarizeError } from '../platform/error-summary.ts'
import type { FormatTime } from '../contract/times.ts'
import { reportBody } from './body.ts'
import type { OwnedWebhook } from './ownership.ts'
import type { FailedDelivery } from './positions.ts'
import { msgKeyWanted, type Connections, type PushOutcome } from './push.ts'
import { nextTry } from './schedule.ts'
import { signedHeaders } from './sign.ts'
import type { DueDelivery } from './source.ts'
import type { Place } from './push-progress.ts'
import { pushLifetimeMs } from './webhook.ts'

/** `place` is null for a delivery that has a row of its own. */
export type PendingPush = Omit<DueDelivery, 'webhookId'> & { readonly place: Place | null }

export type FailedOutcome = Exclude<PushOutcome, { kind: 'acknowledged' }>

export interface SendContext {
  readonly connections: Connections
  readonly formatPreciseTime: FormatTime
  readonly now: () => Date
}

/** Null: too old to be pushed at all. Never throws: a fault of ours must not end the worker. */
export async function sendItem(
  item: PendingPush,
  webhook: OwnedWebhook,
  context: SendContext,
): Promise<PushOutcome | null> {
  if (context.now().getTime() - item.createdAt.getTime() > pushLifetimeMs) return null
  try {
    return await send(item, webhook, context)
  } catch (error) {
    const words = `not pushed: ${summarizeError(error)}`
    return { kind: 'failed', httpStatus: null, error: words, retryAfterMs: null, slowDown: false }
  }
}

function send(
  { report, notice, eventId }: PendingPush,
  webhook: OwnedWebhook,
  { connections, formatPreciseTime, now }: SendContext,
): Promise<PushOutcome> {
  const { url, timeoutSeconds, acknowledgement } = webhook
  const at = now()
  const body = report === null ? JSON.stringify(notice) : reportBody(report, formatPreciseTime, webhook)
  return connections.push({
    url,
    body,
    headers: { ...signedHeaders(webhook, eventId, body, at) },
    timeoutMs: timeoutSeconds * 1000,
    msgKey: report === null ? null : msgKeyWanted(acknowledgement, report.msgKey),
  })
}

/** To be tried again, or given up; without an outcome it was too old to be tried. */
export function failureOf(
  item: PendingPush,
  outcome: FailedOutcome | null,
  scheduleMs: readonly number[],
  failedAt: Date,
): FailedDelivery {
  const { createdAt, notice, report, eventId } = item
  const tries = outcome === null ? item.tries : item.tries + 1
  const retryAfterMs = outcome?.kind === 'failed' ? outcome.retryAfterMs : null
  const retryAt = outcome === null ? null : nextTry({ tries, createdAt, retryAfterMs }, scheduleMs, failedAt)
  return {
    ...{ eventId, notice, createdAt, tries, retryAt, failedAt },
    msgKey: report?.msgKey ?? null,
    step: report?.step ?? null,
    httpStatus: outcome?.httpStatus ?? null,
    error: outcome?.error ?? 'not pushed: the report is older than three days',
  }
}
