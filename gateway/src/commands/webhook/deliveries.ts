/** `postern webhook test`, `replay` and `deliveries`. */
import { replayReports as replayChosen, requireWebhook, testReceiver } from '../../acts/webhooks.ts'
import { readFailures } from '../../webhooks/queries.ts'
import { readTries } from '../../webhooks/try-log.ts'
import { createTimeFormat } from '../../contract/times.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { WebhookSetting } from '../setting-lists.ts'
import { withWebhooks } from './context.ts'
import { deliveriesResult, replayedResult, testedResult } from './view.ts'

export function sendTestReport(invocation: Invocation<WebhookSetting>, id: string): Promise<Result> {
  return withWebhooks(invocation, async (context) => testedResult(await testReceiver(context, id)))
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
    return replayedResult(id, reports)
  })
}

export function listDeliveries(invocation: Invocation<'timeZone'>, id: string): Promise<Result> {
  return withDatabase(invocation, async (database, { timeZone }) => {
    const formatTime = createTimeFormat(timeZone)
    await requireWebhook(database, id)
    const tries = (await readTries(database, id)).toReversed()
    return deliveriesResult(tries, await readFailures(database, id), formatTime)
  })
}
