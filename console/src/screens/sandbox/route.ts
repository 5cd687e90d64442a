import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

export interface SandboxSearch {
  /** Number of the selected phone. */
  readonly to?: string
}

export const sandboxRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sandbox',
  validateSearch: ({ to }: Record<string, unknown>): SandboxSearch => {
    // The router parses digits without a leading zero as a number.
    const text = typeof to === 'string' || typeof to === 'number' ? String(to) : ''
    return /^\+?[0-9]{3,20}$/.test(text) ? { to: text } : {}
  },
  component: lazyRouteComponent(() => import('./screen.tsx'), 'SandboxScreen'),
})

export const sandboxRoutes = [sandboxRoute] as const
