import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'
import { readSearchChoice } from '../../components/search-text.ts'
import { channelNames, routeStatuses, type ChannelName, type RouteStatus } from './figures.ts'

const maxText = 40

export interface RoutesSearch {
  readonly trouble?: RouteStatus | undefined
  readonly channel?: ChannelName | undefined
  /** Part of the ID, the protocol or a carrier. */
  readonly contains?: string | undefined
}

/** Accepts numbers, because the router reads `?contains=7` as one. */
function readFilterText(given: unknown): string | undefined {
  const text = typeof given === 'number' ? String(given) : given
  return typeof text === 'string' && text !== '' ? text.slice(0, maxText) : undefined
}

export const routesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/routes',
  validateSearch: (given: Readonly<Record<string, unknown>>): RoutesSearch => ({
    trouble: readSearchChoice(given.trouble, routeStatuses),
    channel: readSearchChoice(given.channel, channelNames),
    contains: readFilterText(given.contains),
  }),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'RoutesScreen'),
})

export const routeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/routes/$id',
  component: lazyRouteComponent(() => import('./detail/screen.tsx'), 'RouteScreen'),
})

/** Outside `/routes`, where it would hide a route with the ID `new-route`. */
export const newRouteRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/new-route',
  component: lazyRouteComponent(() => import('./edit/screen.tsx'), 'NewRouteScreen'),
})

export const editRouteRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/routes/$id/edit',
  component: lazyRouteComponent(() => import('./edit/screen.tsx'), 'EditRouteScreen'),
})

export interface ExplainSearch {
  readonly account?: string | undefined
  readonly channel?: ChannelName | undefined
}

/**
 * Outside `/routes`, where it would hide a route with the ID `explain`. The phone number is not part of the address, because
 * browsers and proxies store addresses.
 */
export const explainRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/explain',
  validateSearch: (given: Readonly<Record<string, unknown>>): ExplainSearch => ({
    account: readFilterText(given.account),
    channel: readSearchChoice(given.channel, channelNames),
  }),
  component: lazyRouteComponent(() => import('./explain/screen.tsx'), 'ExplainScreen'),
})

export const routesRoutes = [routesRoute, routeRoute, newRouteRoute, editRouteRoute, explainRoute] as const
