/** The commands of held messages over the admin API. */
import { pageSize, type AdminClient } from '../client/client.ts'
import { failedAfter } from '../client/explain.ts'
import type { Result } from '../result.ts'
import { decidedResult, heldResult } from './view.ts'

export interface HeldOptions {
  readonly account?: string
  readonly rule?: string
  readonly limit: number
}

export async function listHeldMessages(
  admin: AdminClient,
  { account, rule, limit }: HeldOptions,
): Promise<Result> {
  const found = await admin.readAll(
    (page) => admin.call('listHeld', { query: { ...page, account, rule } }),
    limit + 1,
  )
  const shown = found.map(({ msgKey, account: clientId, rule: by, channel, since, dueAt }) => ({
    ...{ msgKey, clientId, rule: by, since, dueAt, channel },
  }))
  return heldResult(shown, limit)
}

export async function decideMessages(
  admin: AdminClient,
  given: readonly string[],
  decision: 'release' | 'refuse',
): Promise<Result> {
  const keys = [...new Set(given)]
  let [count, others] = [0, 0]
  for (let from = 0; from < keys.length; from += pageSize) {
    const body = { msgKeys: keys.slice(from, from + pageSize), ...admin.requireReason() }
    const done = decidedResult(decision, count, others).lines.join('; ')
    const { decided, notHeld } = await admin.call(`${decision}Held`, { body }).catch((error: unknown) => {
      throw from === 0 ? error : failedAfter(done, error)
    })
    count += decided
    others += notHeld
  }
  return decidedResult(decision, count, others)
}
