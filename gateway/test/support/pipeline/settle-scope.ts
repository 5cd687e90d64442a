/** Limits receipt matching in tests to attempts since yesterday, of any route by default. */
import { createScope, type SettleScope } from '../../../src/pipeline/settle/match.ts'
import type { MatchScope } from '../../../src/records/attempts/match.ts'
import { toKeyDay } from '../../../src/records/partitions.ts'
import { getRouteLogins } from '../../../src/carriers/routes/logins.ts'
import type { Route } from '../../../src/carriers/routes/route.ts'

export function testScope(routes: readonly Route[] = []): SettleScope {
  return createScope(routes, 1, { recentDays: 1 })
}

export function matchScope(
  notBefore: string = toKeyDay(new Date(), -1),
  routes: readonly Route[] = [],
): MatchScope {
  return { notBefore, before: toKeyDay(new Date(), 1), logins: getRouteLogins(routes) }
}
