/** What is told of a push that was tried: metrics for the operator, a line in the log of tries for the webhook's owner. */
import type { Metrics } from '../platform/metrics.ts'
import type { PendingPush } from './pending-push.ts'
import type { PushOutcome } from './push.ts'
import type { TryLog } from './try-log.ts'

export function notePush(
  { eventId, notice, createdAt }: PendingPush,
  outcome: PushOutcome,
  ms: number,
  { metrics, tries, at }: { readonly metrics: Metrics; readonly tries: TryLog; readonly at: Date },
): void {
  const acknowledged = outcome.kind === 'acknowledged'
  metrics.webhookPushes.inc({ result: acknowledged ? 'acknowledged' : 'failed' })
  metrics.webhookPushSeconds.observe(ms / 1000)
  if (acknowledged && notice === null)
    metrics.webhookLagSeconds.observe(Math.max(0, at.getTime() - createdAt.getTime()) / 1000)
  tries.add({
    at: at.toISOString(),
    eventId,
    httpStatus: outcome.httpStatus,
    ms: Math.round(ms),
    error: acknowledged ? '' : outcome.error,
  })
}
