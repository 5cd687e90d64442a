/** The route that a step of an account would take now, for dry runs. Nothing is sent or stored. */
import type { Step } from '../channels/channel.ts'
import { chooseRoute, type MayUse, type RouteChoice, type RouteHealth } from './choose.ts'
import type { RouteTable } from './table.ts'

/** Null when no route matches. Among routes that share by weight the result depends on the msgKey. */
export type RouteFor = (
  account: { readonly id: number },
  step: Step,
  to: string,
  msgKey?: string,
) => RouteChoice | null

export function createRouteFor(table: RouteTable, health: RouteHealth, mayUse?: MayUse): RouteFor {
  return (account, step, to, msgKey = '') =>
    chooseRoute(
      table.compiled,
      { accountId: account.id, channel: step.channel, to, msgKey, step },
      health,
      mayUse,
    )
}
