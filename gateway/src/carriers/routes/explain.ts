/**
 * Explains for every route why it is chosen, passed over or does not match, as `choose.ts` decides without a `RouteFilter`: a
 * route that a trust rule excludes can be explained as chosen. For `postern route explain` and the Admin API.
 */
import type { Health, RouteHealth, RouteRequest } from './choose.ts'
import { chooseRoute, toRouteRecipient, getHealthReason, matches } from './choose.ts'
import { acceptsMessages, type CompiledRoute, type CompiledRoutes } from './compile.ts'
import { mobileCarrierNames, isMobileCarrier } from '../../channels/mobile-carriers.ts'
import { toPlain } from './numbering.ts'
import type { RouteShare } from './shares.ts'

export interface RouteExplanation {
  readonly route: RouteShare
  readonly decision: 'taken' | 'passed over' | 'no match'
  readonly reason: string
}

/** Ordered by priority. A route with several owners has one entry per share that the message can use. */
export function explainRoute(
  table: CompiledRoutes,
  request: RouteRequest,
  health: RouteHealth,
): RouteExplanation[] {
  const choice = chooseRoute(table, request, health)
  return table.all.flatMap((entry): RouteExplanation[] => {
    const { route } = entry
    if (choice?.route === route) return [{ route, decision: 'taken', reason: choice.reason }]
    const mismatch = findMismatch(table, entry, request)
    if (mismatch === null) {
      const reason = reasonPassedOver(route, choice!.route, health(route.id))
      return [{ route, decision: 'passed over', reason }]
    }
    return route.id === route.routeId ? [{ route, decision: 'no match', reason: mismatch }] : []
  })
}

function findMismatch(table: CompiledRoutes, entry: CompiledRoute, request: RouteRequest): string | null {
  const { route } = entry
  if (!route.enabled) return 'is disabled'
  if (!acceptsMessages(route)) return 'is draining'
  if (!route.channels.includes(request.channel))
    return `does not serve ${request.channel}, only ${route.channels.join(', ')}`
  const routes = table.byChannel.get(request.channel)!
  const recipient = toRouteRecipient(table, routes, request)
  if (matches(entry, request.accountId, recipient)) return null
  if (entry.accounts?.has(request.accountId) === false) return 'does not serve this account'
  if (entry.prefixes?.some((prefix) => toPlain(request.to).startsWith(prefix)) === false)
    return `serves only numbers that begin with ${route.prefixes.join(', ')}`
  const served = route.carriers.map(nameCarrier).join(', ')
  return recipient.carrier === undefined
    ? `serves only recipients at ${served}, and the carrier of this one is not known`
    : `serves only recipients at ${served}, and this one is at ${nameCarrier(recipient.carrier)}`
}

function reasonPassedOver(route: RouteShare, taken: RouteShare, state: Health): string {
  if (!state.usable) return getHealthReason(state)
  if (state.onTrial === true) return `${getHealthReason(state)}: another message may take it`
  if (route.routeId === taken.routeId) return 'another share of the same route: another message may take it'
  if (route.priority === taken.priority)
    return `same priority, weight ${route.weight}: another message may take it`
  return `priority ${route.priority} comes after ${taken.priority}`
}

function nameCarrier(code: string): string {
  const name = isMobileCarrier(code) ? mobileCarrierNames[code] : undefined
  return name === undefined ? code : `${name} (${code})`
}
