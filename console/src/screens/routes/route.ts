import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

export const routesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/routes',
  component: lazyRouteComponent(() => import('./screen.tsx'), 'RoutesScreen'),
})

export const routesRoutes = [routesRoute] as const
