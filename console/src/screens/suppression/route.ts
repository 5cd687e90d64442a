import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

/** Has no search parameters: a phone number must not be part of an address. */
export const suppressionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/rules/suppression',
  component: lazyRouteComponent(() => import('./screen.tsx'), 'SuppressionScreen'),
})

export const suppressionRoutes = [suppressionRoute] as const
