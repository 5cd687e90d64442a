import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

export const sandboxRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sandbox',
  component: lazyRouteComponent(() => import('./screen.tsx'), 'SandboxScreen'),
})

export const sandboxRoutes = [sandboxRoute] as const
