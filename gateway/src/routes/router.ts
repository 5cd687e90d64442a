/**
 * Chooses a route for a step from the route table and the current health of each route. Remembers numbers that a carrier
 * said to be ported, for its own process. Used by scheduling, dispatch and settle.
 */
import { carrierNames, isMobileCarrier } from '../channels/mobile-carriers.ts'
import { PortedNumbers } from '../connectors/ported-numbers.ts'
import { chooseRoute, type Health, type MayUse, type RouteChoice, type RouteRequest } from './choose.ts'
import type { CompiledRoutes } from './compile.ts'
import { healthOf } from './judge-health.ts'
import { toPlain } from './numbering.ts'
import type { RouteShare } from './shares.ts'
import type { RouteStates } from './states.ts'
import type { RouteTable } from './table.ts'
import { clock } from '../platform/clock.ts'

export interface Router {
  /** Null when no route matches the step. The share `avoid` counts as not usable. */
  choose(request: RouteRequest, avoid?: string): RouteChoice | null
  /** The mobile carrier of a recipient: where it was ported to, or by the number ranges; undefined when neither says. */
  carrierOf(to: string): string | undefined
  /** The number belongs to this carrier now; undefined: what was remembered of it is wrong. */
  remember(to: string, carrier: string | undefined): void
  /** The share with this id, of disabled routes too; undefined when there is none. */
  routeOf(shareId: string): RouteShare | undefined
}

const avoided: Health = { usable: false, reason: 'cannot take it now' }

export function createRouter(routes: RouteTable, states: Pick<RouteStates, 'of'>, mayUse?: MayUse): Router {
  const ported = new PortedNumbers()
  let compiled: CompiledRoutes | undefined
  let byId = new Map<string, RouteShare>()
  const routeOf = (shareId: string): RouteShare | undefined => {
    if (compiled !== routes.compiled) {
      compiled = routes.compiled
      byId = new Map(compiled.all.map(({ route }) => [route.id, route]))
    }
    return byId.get(shareId)
  }
  const health = (shareId: string): Health => healthOf(states.of(shareId), routeOf(shareId)!, clock.now())
  const portedTo = (to: string): string | undefined =>
    ported.size === 0 ? undefined : ported.get(toPlain(to))
  return {
    choose(request, avoid) {
      const healthFor = avoid === undefined ? health : (id: string) => (id === avoid ? avoided : health(id))
      const carrier = request.carrier ?? portedTo(request.to)
      if (carrier === undefined) return chooseRoute(routes.compiled, request, healthFor, mayUse)
      const choice = chooseRoute(routes.compiled, { ...request, carrier }, healthFor, mayUse)
      if (choice !== null) return { ...choice, reason: `ported to ${nameOf(carrier)}; ${choice.reason}` }
      // What is remembered must not leave a message without a route: its carrier says what becomes of it.
      return request.carrier === undefined ? chooseRoute(routes.compiled, request, healthFor, mayUse) : null
    },
    routeOf,
    carrierOf: (to) => portedTo(to) ?? routes.compiled.carrierOf(toPlain(to)),
    remember(to, carrier) {
      if (carrier === undefined) ported.delete(toPlain(to))
      else ported.set(toPlain(to), carrier)
    },
  }
}

function nameOf(carrier: string): string {
  return isMobileCarrier(carrier) ? carrierNames[carrier] : carrier
}
