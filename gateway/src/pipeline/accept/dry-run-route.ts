/** Whether a route serves a step. Clients learn no more: which routes there are is known to operators only. */
import type { Account } from '../../accounts/account.ts'
import type { Step } from '../../channels/channel.ts'
import { createRouteFor } from '../../routes/route-for.ts'
import type { MayUse } from '../../routes/choose.ts'
import type { RouteTable } from '../../routes/table.ts'

/** Returns null while the routes have not been read. */
export type HasRoute = (account: Account, step: Step, to: string) => boolean | null

export function createHasRoute(table: RouteTable, mayUse?: MayUse): HasRoute {
  // By the rules alone: the present health of a route says little about the time of the send.
  const routeFor = createRouteFor(table, () => ({ usable: true }), mayUse)
  return (account, step, to) => (table.loaded ? routeFor(account, step, to) !== null : null)
}
