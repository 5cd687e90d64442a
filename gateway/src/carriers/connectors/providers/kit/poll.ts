/**
 * Polls a provider for results, on the first owner of a route. Results are stored before the next request, which can
 * acknowledge them; results that cannot be stored are requested again from the same cursor. A failure only delays the next
 * request.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { backoffMs } from '../../../../platform/time/backoff.ts'
import { clock } from '../../../../platform/time/clock.ts'
import type { ConnectorContext } from '../../connector.ts'
import type { ProviderCallResult } from './caller.ts'
import type { ProviderEvents, ProviderPoll, ProviderRoute } from './provider.ts'
import type { ProviderRequest } from './request.ts'
import { toReceipt, toReply } from './route.ts'

export interface PollContext<Account> {
  readonly route: ProviderRoute<Account>
  readonly intervalMs: number
  readonly call: (request: ProviderRequest) => Promise<ProviderCallResult>
  readonly context: ConnectorContext
  readonly signal: AbortSignal
}

const maxPauseMs = 60_000

/** Resolves after `signal` aborts. */
export async function pollResults<Account>(
  poll: ProviderPoll<Account>,
  { route, intervalMs, call, context, signal }: PollContext<Account>,
): Promise<void> {
  let cursor: string | undefined
  let failures = 0

  /** Returns whether more results can be requested immediately. */
  async function pollOnce(): Promise<boolean> {
    const now = clock.date()
    cursor ??= poll.start(now)
    const result = await call(poll.request(cursor, route, now))
    if (result.kind !== 'answer') throw new PollError(result.code)
    const page = poll.read(result.answer, cursor, now, route)
    if (page === null) throw new PollError(`http:${result.answer.status}`)
    await storeEvents(page, context)
    if (page.acknowledge !== undefined) {
      const acknowledged = await call(page.acknowledge)
      if (acknowledged.kind !== 'answer') throw new PollError(acknowledged.code)
      if (!acknowledged.answer.isSuccess) throw new PollError(`http:${acknowledged.answer.status}`)
    }
    // A page that claims to have more without advancing would be requested in a tight loop.
    const hasMoved = page.cursor !== cursor || page.acknowledge !== undefined
    cursor = page.cursor
    return page.hasMore && hasMoved
  }

  while (!signal.aborted) {
    let hasMore = false
    try {
      hasMore = await pollOnce()
      failures = 0
    } catch (error) {
      // A request that was aborted by a stop is not a failure.
      if (isStopped(signal)) return
      context.onEvent('poll-failed')
      if (failures === 0)
        context.log.warn({ err: error as Error }, 'cannot get results from the provider; retrying')
      failures++
    }
    const waitMs =
      failures === 0
        ? intervalMs
        : Math.max(
            intervalMs,
            backoffMs(failures - 1, { firstMs: intervalMs, maxMs: Math.max(intervalMs, maxPauseMs) }),
          )
    if (!hasMore) await pause(waitMs, undefined, { signal }).catch(() => undefined)
  }
}

/** A function, because the compiler assumes that `aborted` does not change while the loop runs. */
function isStopped(signal: AbortSignal): boolean {
  return signal.aborted
}

class PollError extends Error {
  override readonly name = 'PollError'
}

/** Rejects if an event cannot be stored. */
async function storeEvents(
  { receipts = [], replies = [] }: ProviderEvents,
  context: ConnectorContext,
): Promise<void> {
  await Promise.all([
    ...receipts.map((receipt) => context.onReceipt(toReceipt(receipt))),
    ...replies.map((reply) => {
      context.onEvent('reply')
      return context.onReply?.(toReply(reply))
    }),
  ])
}
