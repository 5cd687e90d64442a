/** What settle compares receipts with in tests: attempts since yesterday, of any route unless routes are given. */
import { createScope, type SettleScope } from '../../src/pipeline/settle/match.ts'
import type { MatchScope } from '../../src/records/attempts/match.ts'
import { dayOf } from '../../src/records/partitions.ts'
import { loginsOf } from '../../src/routes/logins.ts'
import type { Route } from '../../src/routes/route.ts'

export function testScope(routes: readonly Route[] = []): SettleScope {
  return createScope(routes, 1, { recentDays: 1 })
}

export function matchScope(
  notBefore: string = dayOf(new Date(), -1),
  routes: readonly Route[] = [],
): MatchScope {
  return { notBefore, before: dayOf(new Date(), 1), logins: loginsOf(routes) }
}
