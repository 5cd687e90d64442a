import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

export const sendersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/senders',
  component: lazyRouteComponent(() => import('./screen.tsx'), 'SendersScreen'),
})

export const sendersRoutes = [sendersRoute] as const
