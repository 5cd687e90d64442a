/** Chooses a route for a step from the route table and the current health of each route. Used by scheduling. */
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
  /** The mobile carrier of a recipient by the number ranges; undefined when none contains it. */
  carrierOf(to: string): string | undefined
  /** The share with this id, of disabled routes too; undefined when there is none. */
  routeOf(shareId: string): RouteShare | undefined
}

const avoided: Health = { usable: false, reason: 'cannot take it now' }

export function createRouter(routes: RouteTable, states: Pick<RouteStates, 'of'>, mayUse?: MayUse): Router {
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
  return {
    choose(request, avoid) {
      const healthFor = avoid === undefined ? health : (id: string) => (id === avoid ? avoided : health(id))
      return chooseRoute(routes.compiled, request, healthFor, mayUse)
    },
    routeOf,
    carrierOf: (to) => routes.compiled.carrierOf(toPlain(to)),
  }
}
