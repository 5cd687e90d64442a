/** `postern webhook test`, `replay` and `deliveries`. */
import { replayReports as replayChosen, requireWebhook, testReceiver } from '../../acts/webhooks.ts'
import { readFailures } from '../../webhooks/queries.ts'
import { showFailure } from '../../webhooks/schema.ts'
import { readTries } from '../../webhooks/try-log.ts'
import { createTimeFormat } from '../../contract/times.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { WebhookSetting } from '../setting-lists.ts'
import { withWebhooks } from './context.ts'

export function sendTestReport(invocation: Invocation<WebhookSetting>, id: string): Promise<Result> {
  return withWebhooks(invocation, async (context) => {
    const { httpStatus, ms, error } = await testReceiver(context, id)
    const acknowledged = error === ''
    return {
      json: { acknowledged, httpStatus, ms, error },
      lines: [
        acknowledged ? `acknowledged with ${httpStatus ?? 0} after ${ms} ms` : `${error}, after ${ms} ms`,
      ],
      failed: !acknowledged,
    }
  })
}

export interface ReplayOptions {
  readonly msgKey?: string
  readonly failedSince?: string
  readonly allSince?: string
}

export function replayReports(
  invocation: Invocation<WebhookSetting>,
  id: string,
  options: ReplayOptions,
): Promise<Result> {
  return withWebhooks(invocation, async (context) => {
    const { msgKey, failedSince, allSince } = options
    const reports = await replayChosen(context, id, { msgKey, failedSince, allSince })
    return { json: { webhookId: id, reports }, lines: [`${id}: ${reports} reports are pushed again`] }
  })
}

export function listDeliveries(invocation: Invocation<'timeZone'>, id: string): Promise<Result> {
  return withDatabase(invocation, async (database, { timeZone }) => {
    const formatTime = createTimeFormat(timeZone)
    await requireWebhook(database, id)
    const tries = (await readTries(database, id)).toReversed()
    const failures = (await readFailures(database, id)).map((failure) => showFailure(failure, formatTime))
    return {
      json: { tries, failures },
      lines: [
        ...tries.map(
          ({ at, eventId, httpStatus, ms, error }) =>
            `${at}  ${eventId}  ${httpStatus ?? '-'}  ${ms} ms  ${error === '' ? 'acknowledged' : error}`,
        ),
        ...failures.map(({ eventId, tries: count, retryTime, error }) => {
          const next = retryTime === '' ? 'given up' : `again at ${retryTime}`
          return `not acknowledged: ${eventId} after ${count} tries, ${next}: ${error}`
        }),
      ],
    }
  })
}
