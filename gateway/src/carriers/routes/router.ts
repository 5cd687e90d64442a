/**
 * Chooses a route for a step from the route table and the current health of each route. Remembers numbers that a carrier
 * reported as ported, in this process.
 */
import { mobileCarrierNames, isMobileCarrier } from '../../channels/mobile-carriers.ts'
import { PortedNumbers } from '../connectors/ported-numbers.ts'
import { chooseRoute, type Health, type RouteFilter, type RouteChoice, type RouteRequest } from './choose.ts'
import type { CompiledRoutes } from './compile.ts'
import { computeRouteHealth } from './health.ts'
import { toPlain } from './numbering.ts'
import type { RouteShare } from './shares.ts'
import type { RouteStates } from './states.ts'
import type { RouteTable } from './table.ts'
import { clock } from '../../platform/time/clock.ts'

export interface Router {
  /** Returns null if no route matches the step. The share `avoid` counts as not usable. */
  choose(request: RouteRequest, avoid?: string): RouteChoice | null
  /** Returns the mobile carrier of a recipient, by porting reports or number ranges; undefined if neither has it. */
  findCarrier(to: string): string | undefined
  /** Records the carrier that a number was ported to; undefined removes a wrong record. */
  setCarrier(to: string, carrier: string | undefined): void
  /** Returns the share with this id, including shares of disabled routes, or undefined. */
  findShare(shareId: string): RouteShare | undefined
}

const avoided: Health = { usable: false, reason: 'cannot take it now' }

export function createRouter(
  routes: RouteTable,
  states: Pick<RouteStates, 'get'>,
  isRouteAllowed?: RouteFilter,
): Router {
  const ported = new PortedNumbers()
  let compiled: CompiledRoutes | undefined
  let byId = new Map<string, RouteShare>()
  const findShare = (shareId: string): RouteShare | undefined => {
    if (compiled !== routes.compiled) {
      compiled = routes.compiled
      byId = new Map(compiled.all.map(({ route }) => [route.id, route]))
    }
    return byId.get(shareId)
  }
  const health = (shareId: string): Health =>
    computeRouteHealth(states.get(shareId), findShare(shareId)!, clock.now())
  const portedTo = (to: string): string | undefined =>
    ported.size === 0 ? undefined : ported.get(toPlain(to))
  return {
    choose(request, avoid) {
      const healthFor = avoid === undefined ? health : (id: string) => (id === avoid ? avoided : health(id))
      const carrier = request.carrier ?? portedTo(request.to)
      if (carrier === undefined) return chooseRoute(routes.compiled, request, healthFor, isRouteAllowed)
      const choice = chooseRoute(routes.compiled, { ...request, carrier }, healthFor, isRouteAllowed)
      if (choice !== null) return { ...choice, reason: `ported to ${nameCarrier(carrier)}; ${choice.reason}` }
      // A remembered carrier must not leave a message without a route; a carrier then reports the result.
      return request.carrier === undefined
        ? chooseRoute(routes.compiled, request, healthFor, isRouteAllowed)
        : null
    },
    findShare,
    findCarrier: (to) => portedTo(to) ?? routes.compiled.findCarrier(toPlain(to)),
    setCarrier(to, carrier) {
      if (carrier === undefined) ported.delete(toPlain(to))
      else ported.set(toPlain(to), carrier)
    },
  }
}

function nameCarrier(carrier: string): string {
  return isMobileCarrier(carrier) ? mobileCarrierNames[carrier] : carrier
}
