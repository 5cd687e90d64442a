import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

export const parkedRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/parked',
  component: lazyRouteComponent(() => import('./screen.tsx'), 'ParkedScreen'),
})

export const parkedRoutes = [parkedRoute] as const
