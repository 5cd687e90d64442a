/** `postern held list`, `release` and `refuse`. */
import { decideHeld } from '../../acts/rules.ts'
import { listHeld } from '../../records/waiting/held.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import { table, type Result } from '../result.ts'

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
  const held = found.slice(0, limit).map(({ msgKey, clientId, rule: by, channel, since, dueAt }) => ({
    ...{ msgKey, clientId, rule: by, since, dueAt, channel },
  }))
  const more = found.length > limit
  const time = (at: Date): string => at.toISOString().slice(0, 19)
  const rows = held.map(({ msgKey, clientId, rule: by, channel, since, dueAt }) => [
    ...[msgKey, clientId, by, channel, time(since), time(dueAt)],
  ])
  return {
    json: { held, more },
    lines: [
      ...table([['message', 'account', 'rule', 'channel', 'since', 'ends'], ...rows]),
      ...(more ? [`the first ${limit}; give --limit for more`] : []),
    ],
  }
}

export async function releaseHeldMessages(invocation: Invocation, keys: readonly string[]): Promise<Result> {
  return answer('released', 'are sent', await decide(invocation, keys, 'release'), keys)
}

export async function refuseHeldMessages(invocation: Invocation, keys: readonly string[]): Promise<Result> {
  return answer('refused', 'are ended', await decide(invocation, keys, 'refuse'), keys)
}

function decide(
  invocation: Invocation,
  keys: readonly string[],
  decision: 'release' | 'refuse',
): Promise<number> {
  return withDatabase(invocation, (database, _config, audit) => decideHeld(database, audit, keys, decision))
}

function answer(name: string, what: string, count: number, keys: readonly string[]): Result {
  const notHeld = new Set(keys).size - count
  return {
    json: { [name]: count, notHeld },
    lines: [
      `${count} messages ${what}`,
      ...(notHeld > 0 ? [`${notHeld} are not held: they were decided before, or have ended`] : []),
    ],
  }
}
