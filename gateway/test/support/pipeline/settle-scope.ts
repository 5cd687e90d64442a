/**
 * Limits receipt matching in tests to attempts since yesterday. Without routes, every attempt counts as that of a
 * deleted route, so a receipt of any route can match it.
 */
import { createScope, type SettleScope } from '../../../src/pipeline/settle/match.ts'
import type { MatchScope } from '../../../src/records/attempts/match.ts'
import { toKeyDay } from '../../../src/records/partitions.ts'
import { getRouteLogins } from '../../../src/carriers/routes/logins.ts'
import type { Route } from '../../../src/carriers/routes/route.ts'

const retentionDays = 1

/** The scope of settle, from which it derives those of its searches. */
export function testScope(routes: readonly Route[] = []): SettleScope {
  return createScope(routes, retentionDays, { recentDays: 1, recordedWithinMs: 0 })
}

/** The scope of a single search, from the day `notBefore` to today. */
export function matchScope(
  notBefore: string = toKeyDay(new Date(), -1),
  routes: readonly Route[] = [],
): MatchScope {
  return {
    notBefore,
    before: toKeyDay(new Date(), 1),
    logins: getRouteLogins(routes),
    allowsOtherRecipient: false,
    recordedWithinMs: () => 0,
  }
}
