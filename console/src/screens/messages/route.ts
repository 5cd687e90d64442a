import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

export const messagesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/messages',
  component: lazyRouteComponent(() => import('./screen.tsx'), 'MessagesScreen'),
})

export const messagesRoutes = [messagesRoute] as const
