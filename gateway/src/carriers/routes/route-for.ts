/** Finds the route that a step of an account would use now, for dry runs. Nothing is sent or stored. */
import type { Step } from '../../channels/channel.ts'
import { chooseRoute, type RouteFilter, type RouteChoice, type RouteHealth } from './choose.ts'
import type { RouteTable } from './table.ts'

/** Returns null if no route matches. Among routes of the same priority, the result depends on `msgKey`. */
export type RouteFor = (
  account: { readonly id: number },
  step: Step,
  to: string,
  msgKey?: string,
) => RouteChoice | null

export function createRouteFor(
  table: RouteTable,
  health: RouteHealth,
  isRouteAllowed?: RouteFilter,
): RouteFor {
  return (account, step, to, msgKey = '') =>
    chooseRoute(
      table.compiled,
      { accountId: account.id, channel: step.channel, to, msgKey, step },
      health,
      isRouteAllowed,
    )
}
