import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'
import { oneOf, textOf, type RoutesSearch } from './search.ts'
import { channelNames, troubles, type ChannelName } from './figures.ts'

export const routesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/routes',
  validateSearch: (given: Readonly<Record<string, unknown>>): RoutesSearch => ({
    trouble: oneOf(troubles, given.trouble),
    channel: oneOf(channelNames, given.channel),
    contains: textOf(given.contains),
  }),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'RoutesScreen'),
})

export const routeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/routes/$id',
  component: lazyRouteComponent(() => import('./one/screen.tsx'), 'RouteScreen'),
})

/** Not below `/routes`, where it would hide a route of this name. */
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

/** Not below `/routes`, where it would hide a route of this name. The number is not in the address, because addresses are kept. */
export const explainRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/explain',
  validateSearch: (given: Readonly<Record<string, unknown>>): ExplainSearch => ({
    account: textOf(given.account),
    channel: oneOf(channelNames, given.channel),
  }),
  component: lazyRouteComponent(() => import('./explain/screen.tsx'), 'ExplainScreen'),
})

export const routesRoutes = [routesRoute, routeRoute, newRouteRoute, editRouteRoute, explainRoute] as const
