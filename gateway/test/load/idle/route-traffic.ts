/**
 * Sends texts as fast as the installation accepts them, over one route or spread over all, until all are
 * closed.
 */
import type { SendResponse } from '../../support/processes/account-client.ts'
import { inParallel } from '../../support/parallel.ts'
import { withProgress } from '../../support/measure/progress.ts'
import { retryAfterThrottling } from '../../support/processes/retry-after-throttling.ts'
import { waitFor } from '../../support/wait.ts'
import { createRoutePrefix, type IdleInstallation } from './idle-installation.ts'
import { sender } from '../steady-load.ts'

const destinationsPerRequest = 10
const requestsAtOnce = 16
const closeMs = 120_000

/** Returns messages per second from the first request until the last message is closed. */
export async function measureTraffic(
  { workers, client }: IdleInstallation,
  routes: readonly number[],
  messages: number,
): Promise<number> {
  const counts = workers.map(() => 0)
  const closed = async (): Promise<number> => {
    await Promise.all(
      workers.map(async (worker, index) => {
        // Without a response in time the metric is 0, and the last count stays.
        counts[index] = Math.max(counts[index]!, await worker.metric('postern_messages_closed_total'))
      }),
    )
    return counts.reduce((sum, count) => sum + count, 0)
  }
  const before = await closed()
  const began = performance.now()
  const requests = Array.from(
    { length: Math.ceil(messages / destinationsPerRequest) },
    (_, index) => index * destinationsPerRequest,
  )
  let sent = 0
  const sending = inParallel(requests, requestsAtOnce, async (first) => {
    const destinations = Array.from({ length: destinationsPerRequest }, (_, index) => ({
      to: recipient(routes, first + index),
    }))
    const body = { destinations, messageFlow: [{ sms: { from: sender, text: 'idle' } }] }
    const send = () => client.call<SendResponse>('POST', '/v1/send/omni', JSON.stringify(body))
    const answer = await retryAfterThrottling(send)
    if (answer.body.code !== 'A000')
      throw new Error(
        `unexpected send response ${answer.httpStatus} ${answer.body.code}: ${answer.body.result}`,
      )
    sent += destinationsPerRequest
  })
  await withProgress(sending, () => `${sent} of ${messages} sent`)
  let done = 0
  const closing = waitFor(
    'all messages to be closed',
    async () => {
      done = (await closed()) - before
      return done >= sent
    },
    { timeoutMs: closeMs, everyMs: 50 },
  )
  await withProgress(closing, () => `${done} of ${sent} closed`)
  return (sent / (performance.now() - began)) * 1000
}

/** Number endings below 1000 have special behaviours at the simulator. */
function recipient(routes: readonly number[], index: number): string {
  const route = routes[index % routes.length]!
  return `${createRoutePrefix(route)}${String(Math.floor(index / 9_000) % 10)}${1_000 + (index % 9_000)}`
}
