import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'
import { readMessageSearch } from './search-filter.ts'

export const messagesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/messages',
  validateSearch: readMessageSearch,
  component: lazyRouteComponent(() => import('./screen.tsx'), 'MessagesScreen'),
})

export const messageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/messages/$msgKey',
  component: lazyRouteComponent(() => import('./message/screen.tsx'), 'MessageScreen'),
})

export const messagesRoutes = [messagesRoute, messageRoute] as const
