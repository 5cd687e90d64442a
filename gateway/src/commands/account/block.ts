/** `postern account block`: blocks an account, and waits until workers have ended or held its messages. */
import { setTimeout as delay } from 'node:timers/promises'
import type { AdminClient, Data } from '../client/client.ts'
import { renderData } from '../render.ts'
import { printable, type Result } from '../result.ts'

export interface BlockOptions {
  readonly hold?: true
  readonly notice?: string
  readonly wait: boolean
}

/** Every process has read the block after `followMs`. A count reads all open messages: `restPerLook` times as long passes before the next. */
const times = { followMs: 2_000, lookEveryMs: 1_000, restPerLook: 4, maxMs: 120_000 }

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
  let restMs = times.lookEveryMs
  for (;;) {
    await delay(restMs)
    const lookedAt = performance.now()
    const now = await admin.call('showAccountStop', { params: { clientId } }).catch(() => null)
    // The account is blocked, whatever becomes of the counts.
    if (now === null) return describe({ ...block, submitted: null, closed: null, held: null, open: null })
    const { closed, held, open } = now
    restMs = Math.max(times.lookEveryMs, (performance.now() - lookedAt) * times.restPerLook)
    const tookMs = performance.now() - began
    if (tookMs >= times.maxMs || (tookMs >= times.followMs && open === 0))
      return describe({ ...block, closed, held, open })
    if (open > 0) process.stderr.write(printable(`${closed} ended, ${held} held, ${open} still open`) + '\n')
  }
}

function describe(block: Data<'blockAccount'>): Result {
  return { json: block, lines: [...renderData(block), explain(block.open)] }
}

function explain(open: number | null): string {
  if (open === null)
    return 'Its messages could not be counted, because the database did not answer in time: workers go on all the same.'
  if (open > 0)
    return 'Workers go on with the open messages. If the number stays, check that a worker runs (`postern worker list`).'
  return 'Closed messages ended with the report 90011; held ones wait until `postern account unblock`, or until their deadline.'
}
