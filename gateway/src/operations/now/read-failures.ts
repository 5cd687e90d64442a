/**
 * Reads failures among the newest messages: routes with many failures, with code and numbers, and messages
 * that no route serves. Numbers are read only for routes with many failures.
 */
import { ownCodes, readRouteFailures, type RouteFailures } from '../routes/failures.ts'
import { textReportCodes } from '../../channels/report-codes.ts'
import { timeDigits } from '../../contract/msg-key.ts'
import { parseShareRoute } from '../../jobs/route-share.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { countRecentAttempts, type KeyRange } from '../../records/attempts/recent.ts'
import type { FailingRoute, FailureFigures } from './cause-figures.ts'

const withinMs = 600_000
/** Other processes create keys by their own clocks. */
const clockToleranceMs = 60_000
const maxAttempts = 5_000
const maxReports = 2_000
const maxRoutes = 3
/** Fewer failures are normal, for numbers that do not exist. */
const minFailed = 20
const minFailedFraction = 0.2
const routeBounds = { withinMs, messages: 500, budgetMs: 100 }

export async function readFailures(database: Queryable, now: Date): Promise<FailureFigures> {
  const fromKey = timeDigits(new Date(now.getTime() - withinMs))
  // The key of a scheduled message has its scheduled time; the message can have been closed earlier by a
  // cancellation.
  const beforeKey = timeDigits(new Date(now.getTime() + clockToleranceMs))
  const shares = await countRecentAttempts(database, { fromKey, beforeKey }, maxAttempts, ownCodes)
  const failed = new Map<string, number>()
  for (const share of shares) {
    const route = parseShareRoute(share.shareId)
    failed.set(route, (failed.get(route) ?? 0) + share.failed)
  }
  const suspects = [...failed]
    .filter(([, count]) => count >= minFailed)
    .sort(([, left], [, right]) => right - left)
    .slice(0, maxRoutes)
  const routes: FailingRoute[] = []
  for (const [route] of suspects) {
    const failing = toFailingRoute(route, await readRouteFailures(database, route, now, routeBounds))
    if (failing !== null) routes.push(failing)
  }
  return { routes, ...(await readUnserved(database, { fromKey, beforeKey })) }
}

/** Returns null if the route fails no more than usual and no numbers fail in particular. */
function toFailingRoute(route: string, { sent, failed, codes }: RouteFailures): FailingRoute | null {
  const mainCode = codes.find(({ prefixes }) => prefixes.length > 0) ?? codes[0]
  if (mainCode === undefined) return null
  const prefix = mainCode.prefixes[0]
  const isAboveNormal = failed >= minFailed && failed >= sent * minFailedFraction
  if (!isAboveNormal && (prefix === undefined || prefix.failed < minFailed)) return null
  const { code, text, carrierCode } = mainCode
  // Report the prefix that fails, unless most failures are elsewhere.
  const isPrefix = prefix !== undefined && prefix.failed >= failed * 0.5
  return {
    route,
    code,
    text,
    carrierCode,
    prefix: isPrefix ? prefix.prefix : null,
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
