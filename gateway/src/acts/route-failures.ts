/** What fails on a route, of the newest messages: with which codes, and to which numbers. For the admin API. */
import { timeDigits } from '../contract/msg-key.ts'
import { possibleShareIds } from '../jobs/route-share.ts'
import type { Queryable } from '../platform/database.ts'
import { readRecentAttempts, type RecentAttempt } from '../records/attempts/recent.ts'
import { ageOfKey } from '../records/ledger/check.ts'
import { findFailingPrefixes, type FailingPrefix } from '../routes/failing-prefixes.ts'
import { rules } from '../trust/rules.ts'

export interface FailedCode {
  /** Report code; null while the step has none, because it is tried again. */
  readonly code: string | null
  readonly text: string | null
  /** As the carrier says it, of the newest. */
  readonly carrierCode: string | null
  readonly failed: number
  /** Key of the newest. */
  readonly newest: string
  readonly prefixes: readonly FailingPrefix[]
}

export interface RouteFailures {
  /** Messages that were accepted from this time on were looked at. */
  readonly since: Date
  readonly sent: number
  readonly delivered: number
  readonly failed: number
  /** The most frequent first. */
  readonly codes: readonly FailedCode[]
}

export interface FailureBounds {
  readonly withinMs: number
  /** Messages of the route that are read at most. */
  readonly messages: number
  /** It ends after this long with what it has. */
  readonly budgetMs: number
}

/** Codes of refusals that are the gateway's own. */
export const ownCodes: readonly string[] = rules.map(({ id }) => id)
const scan = 20_000
const maxCodes = 10

export async function readRouteFailures(
  database: Queryable,
  routeId: string,
  now: Date,
  { withinMs, messages, budgetMs }: FailureBounds,
): Promise<RouteFailures> {
  const began = performance.now()
  const shareIds = possibleShareIds(routeId)
  const fromKey = timeDigits(new Date(now.getTime() - withinMs))
  const attempts: RecentAttempt[] = []
  // A key begins with its time; no message of the route is scheduled for later than now.
  let beforeKey: string | null = timeDigits(new Date(now.getTime() + 60_000))
  let searched = beforeKey
  while (beforeKey !== null && attempts.length < messages && performance.now() - began < budgetMs) {
    const bounds = { fromKey, beforeKey, scan, limit: messages - attempts.length, ownCodes }
    const piece = await readRecentAttempts(database, shareIds, bounds)
    attempts.push(...piece.attempts)
    beforeKey = piece.next
    searched = attempts.length >= messages ? attempts.at(-1)!.msgKey : (beforeKey ?? fromKey)
  }
  return { since: new Date(now.getTime() - ageOfKey(searched, now) * 1000), ...describe(attempts) }
}

function describe(attempts: readonly RecentAttempt[]): Omit<RouteFailures, 'since'> {
  const failed = attempts.filter(({ result }) => result === 'failed')
  const byCode = Map.groupBy(failed, codeOf)
  const codes = [...byCode.values()].map((rows): FailedCode => {
    const { code, codeText, carrierCode, msgKey } = rows[0]!
    return {
      ...{ code, text: codeText, carrierCode, failed: rows.length, newest: msgKey },
      prefixes: findFailingPrefixes(
        attempts
          // What fails with another code says nothing about this one.
          .filter((one) => one.result !== 'failed' || codeOf(one) === codeOf(rows[0]!))
          .map(({ recipient, result }) => ({ number: recipient, result })),
      ),
    }
  })
  return {
    ...{ sent: attempts.length, failed: failed.length },
    delivered: attempts.filter(({ result }) => result === 'delivered').length,
    codes: codes.sort((left, right) => right.failed - left.failed).slice(0, maxCodes),
  }
}

function codeOf({ code, carrierCode }: RecentAttempt): string {
  return code ?? carrierCode ?? ''
}
