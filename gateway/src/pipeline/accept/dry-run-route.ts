/** Which route a step would take now, and why. Routes are cached in memory: unknown until they have been read once. */
import type { Account } from '../../accounts/account.ts'
import type { Step } from '../../channels/channel.ts'
import { createRouteFor } from '../../routes/route-for.ts'
import type { MayUse } from '../../routes/choose.ts'
import type { RouteTable } from '../../routes/table.ts'

export interface StepRoute {
  readonly route: string | null
  readonly routeReason: string
}

export type RouteOf = (account: Account, step: Step, to: string) => StepRoute

export function createRouteOf(table: RouteTable, mayUse?: MayUse): RouteOf {
  // By the rules alone: the present health of a route says little about the time of the send.
  const routeFor = createRouteFor(table, () => ({ usable: true }), mayUse)
  return (account, step, to) => {
    if (!table.loaded) return { route: null, routeReason: 'not known now: the routes could not be read yet' }
    const choice = routeFor(account, step, to)
    if (choice === null) {
      return { route: null, routeReason: `no route serves ${step.channel} for this account and recipient` }
    }
    return { route: choice.route.routeId, routeReason: choice.reason }
  }
}
