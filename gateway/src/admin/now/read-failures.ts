/**
 * What fails now, of the newest messages: routes on which much fails, with the code and the numbers, and messages that no route serves. The
 * numbers are read only for routes on which much fails. Called by `read.ts` every ten seconds.
 */
import { ownCodes, readRouteFailures, type RouteFailures } from '../../acts/route-failures.ts'
import { textReportCodes } from '../../channels/report-codes.ts'
import { timeDigits } from '../../contract/msg-key.ts'
import { routeOfShare } from '../../jobs/route-share.ts'
import type { Queryable } from '../../platform/database.ts'
import { countRecentAttempts, type KeyRange } from '../../records/attempts/recent.ts'
import type { FailingRoute, FailureFigures } from './cause-figures.ts'

const withinMs = 600_000
/** Keys are made by the clocks of other processes. */
const clockToleranceMs = 60_000
const maxAttempts = 5_000
const maxReports = 2_000
const maxRoutes = 3
/** Fewer are the ordinary course of numbers that do not exist. */
const minFailed = 20
const minFailedShare = 0.2
const ofRoute = { withinMs, messages: 500, budgetMs: 100 }

export async function readFailures(database: Queryable, now: Date): Promise<FailureFigures> {
  const fromKey = timeDigits(new Date(now.getTime() - withinMs))
  // The key of a scheduled message carries the time that it is scheduled for, and it may have ended before, because it was cancelled.
  const beforeKey = timeDigits(new Date(now.getTime() + clockToleranceMs))
  const shares = await countRecentAttempts(database, { fromKey, beforeKey }, maxAttempts, ownCodes)
  const failed = new Map<string, number>()
  for (const share of shares) {
    const route = routeOfShare(share.shareId)
    failed.set(route, (failed.get(route) ?? 0) + share.failed)
  }
  const suspects = [...failed]
    .filter(([, count]) => count >= minFailed)
    .sort(([, left], [, right]) => right - left)
    .slice(0, maxRoutes)
  const routes: FailingRoute[] = []
  for (const [route] of suspects) {
    const failing = judge(route, await readRouteFailures(database, route, now, ofRoute))
    if (failing !== null) routes.push(failing)
  }
  return { routes, ...(await readUnserved(database, { fromKey, beforeKey })) }
}

/** Null when it fails no more than usual, and not for some numbers alone. */
function judge(route: string, { sent, failed, codes }: RouteFailures): FailingRoute | null {
  const first = codes.find(({ prefixes }) => prefixes.length > 0) ?? codes[0]
  if (first === undefined) return null
  const prefix = first.prefixes[0]
  const isMuch = failed >= minFailed && failed >= sent * minFailedShare
  if (!isMuch && (prefix === undefined || prefix.failed < minFailed)) return null
  const { code, text, carrierCode } = first
  // Of the numbers that fail alone, unless there are more failures than those.
  const isPrefix = prefix !== undefined && prefix.failed >= failed * 0.5
  return {
    ...{ route, code, text, carrierCode, prefix: isPrefix ? prefix.prefix : null },
    ...(isPrefix ? { sent: prefix.sent, failed: prefix.failed } : { sent, failed }),
  }
}

async function readUnserved(
  database: Queryable,
  { fromKey, beforeKey }: KeyRange,
): Promise<Pick<FailureFigures, 'ended' | 'unserved'>> {
  const { rows } = await database.query<{ ended: number; unserved: number }>(
    `select count(*) as ended, count(*) filter (where report_code = $3) as unserved
       from (select report_code from reports where msg_key >= $1 and msg_key < $2 order by msg_key desc limit ${maxReports}) r`,
    [fromKey, beforeKey, textReportCodes['no-route'].code],
  )
  return rows[0]!
}
