import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

export interface AccountsSearch {
  /** Prefix of the client ID, or part of the name. */
  readonly q?: string | undefined
  readonly state?: 'active' | 'blocked' | undefined
}

export const accountsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/accounts',
  // The router parses a client ID of digits as a number.
  validateSearch: ({ q, state }: Readonly<Record<string, unknown>>): AccountsSearch => ({
    ...((typeof q === 'string' || typeof q === 'number') && q !== '' ? { q: String(q).slice(0, 100) } : {}),
    ...(state === 'active' || state === 'blocked' ? { state } : {}),
  }),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'AccountsScreen'),
})

export const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/accounts/$id',
  component: lazyRouteComponent(() => import('./account.tsx'), 'AccountScreen'),
})

export const accountsRoutes = [accountsRoute, accountRoute] as const
