/** Reads failures on a route among its newest messages, by code and number prefix. */
import { timeDigits } from '../../contract/msg-key.ts'
import { possibleShareIds } from '../../jobs/route-share.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { readRecentAttempts, type RecentAttempt } from '../../records/attempts/recent.ts'
import { keyAgeSeconds } from '../../records/ledger/check.ts'
import { findFailingPrefixes, type FailingPrefix } from '../../carriers/routes/failing-prefixes.ts'
import { rules } from '../../trust/rules.ts'

export interface FailedCode {
  /** Report code; null if the step is retried and has none yet. */
  readonly code: string | null
  readonly text: string | null
  /** Carrier code of the newest failure. */
  readonly carrierCode: string | null
  readonly failed: number
  /** Key of the newest message. */
  readonly newest: string
  readonly prefixes: readonly FailingPrefix[]
}

export interface RouteFailures {
  /** Messages accepted from this time on were read. */
  readonly since: Date
  readonly sent: number
  readonly delivered: number
  readonly failed: number
  /** Codes, most frequent first. */
  readonly codes: readonly FailedCode[]
}

export interface FailureBounds {
  readonly withinMs: number
  /** Maximum number of messages read. */
  readonly messages: number
  /** Time limit; the result covers what was read by then. */
  readonly budgetMs: number
}

/** Codes of refusals by the gateway itself. */
export const ownCodes: readonly string[] = rules.map(({ id }) => id)
/** Maximum attempts of all routes that one statement reads. */
const scan = 20_000
/** Other processes create keys by their own clocks. */
const clockToleranceMs = 60_000
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
  // A key begins with its time; no submitted message is scheduled for later than now.
  let beforeKey: string | null = timeDigits(new Date(now.getTime() + clockToleranceMs))
  let searched = beforeKey
  while (beforeKey !== null && attempts.length < messages && performance.now() - began < budgetMs) {
    const bounds = { fromKey, beforeKey, scan, limit: messages - attempts.length, ownCodes }
    const page = await readRecentAttempts(database, shareIds, bounds)
    attempts.push(...page.attempts)
    beforeKey = page.next
    searched = attempts.length >= messages ? attempts.at(-1)!.msgKey : (beforeKey ?? fromKey)
  }
  return { since: new Date(now.getTime() - keyAgeSeconds(searched, now) * 1000), ...describe(attempts) }
}

function describe(attempts: readonly RecentAttempt[]): Omit<RouteFailures, 'since'> {
  const failed = attempts.filter(({ result }) => result === 'failed')
  const byCode = Map.groupBy(failed, codeKey)
  const codes = [...byCode.values()].map((rows): FailedCode => {
    const { code, codeText, carrierCode, msgKey } = rows[0]!
    return {
      code,
      text: codeText,
      carrierCode,
      failed: rows.length,
      newest: msgKey,
      prefixes: findFailingPrefixes(
        attempts
          // Failures with another code do not describe this one.
          .filter((attempt) => attempt.result !== 'failed' || codeKey(attempt) === codeKey(rows[0]!))
          .map(({ recipient, result }) => ({ number: recipient, result })),
      ),
    }
  })
  return {
    sent: attempts.length,
    failed: failed.length,
    delivered: attempts.filter(({ result }) => result === 'delivered').length,
    codes: codes.sort((left, right) => right.failed - left.failed).slice(0, maxCodes),
  }
}

function codeKey({ code, carrierCode }: RecentAttempt): string {
  return code ?? carrierCode ?? ''
}
