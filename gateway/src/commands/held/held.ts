/** `postern held list`, `release` and `refuse`. */
import { decideHeld } from '../../acts/rules.ts'
import { listHeld } from '../../records/waiting/aside.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import { decidedResult, heldResult } from './view.ts'

export interface HeldOptions {
  readonly account?: string
  readonly rule?: string
  readonly limit: number
}

export async function listHeldMessages(
  invocation: Invocation,
  { account, rule, limit }: HeldOptions,
): Promise<Result> {
  const found = await withDatabase(invocation, (database) =>
    listHeld(database, { clientId: account, rule, limit: limit + 1 }),
  )
  const shown = found.map(({ msgKey, clientId, rule: by, channel, since, dueAt }) => ({
    ...{ msgKey, clientId, rule: by, since, dueAt, channel },
  }))
  return heldResult(shown, limit)
}

export async function decideMessages(
  invocation: Invocation,
  keys: readonly string[],
  decision: 'release' | 'refuse',
): Promise<Result> {
  const count = await withDatabase(invocation, (database, _config, audit) =>
    decideHeld(database, audit, keys, decision),
  )
  return decidedResult(decision, count, new Set(keys).size - count)
}
