/** `postern account block`: blocks an account and waits up to two minutes until workers have ended or held its messages. */
import { setTimeout as delay } from 'node:timers/promises'
import type { AdminClient, ResponseData } from '../client/client.ts'
import { renderData } from '../render.ts'
import { printable, type Result } from '../result.ts'

export interface BlockOptions {
  readonly hold?: true
  readonly notice?: string
  readonly wait: boolean
}

/**
 * Every process has read the block after `propagationMs`. A count reads all open messages, so the pause before
 * the next count is `pausePerCount` times as long as the count.
 */
const times = { propagationMs: 2_000, countEveryMs: 1_000, pausePerCount: 4, maxMs: 120_000 }

export async function blockAccount(
  admin: AdminClient,
  clientId: string,
  { hold, notice, wait }: BlockOptions,
): Promise<Result> {
  const began = performance.now()
  const block = await admin.call('blockAccount', {
    params: { clientId },
    body: { hold, notice, ...admin.requireReason() },
  })
  if (block.open === null || !wait) return describe(block)
  let pauseMs = times.countEveryMs
  for (;;) {
    await delay(pauseMs)
    const countStartedAt = performance.now()
    const progress = await admin.call('showAccountStop', { params: { clientId } }).catch(() => null)
    // The account is blocked even if the counts fail.
    if (progress === null)
      return describe({ ...block, submitted: null, closed: null, held: null, open: null })
    const { closed, held, open } = progress
    pauseMs = Math.max(times.countEveryMs, (performance.now() - countStartedAt) * times.pausePerCount)
    const tookMs = performance.now() - began
    if (tookMs >= times.maxMs || (tookMs >= times.propagationMs && open === 0))
      return describe({ ...block, closed, held, open })
    if (open > 0) process.stderr.write(printable(`${closed} ended, ${held} held, ${open} still open`) + '\n')
  }
}

function describe(block: ResponseData<'blockAccount'>): Result {
  return { json: block, lines: [...renderData(block), explain(block.open)] }
}

function explain(open: number | null): string {
  if (open === null)
    return 'Its messages could not be counted. Workers may still be ending or holding open messages.'
  if (open > 0)
    return 'Workers are still ending or holding open messages. If the number does not decrease, check that a worker is running (`postern worker list`).'
  return 'Closed messages ended with report code 90011; held messages wait until `postern account unblock` or their deadline.'
}
