import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'
import { readSearch } from './search.ts'

export const parkedRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/parked',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('./screen.tsx'), 'ParkedScreen'),
})

export const parkedJobRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/parked/$id',
  component: lazyRouteComponent(() => import('./job/screen.tsx'), 'ParkedJobScreen'),
})

export const parkedRoutes = [parkedRoute, parkedJobRoute] as const
