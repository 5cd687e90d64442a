import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'
import { readSearchChoice, readSearchText } from '../../components/search-text.ts'

export const capExtents = ['nearly', 'all'] as const

export interface CapsSearch {
  readonly account?: string | undefined
  readonly show?: (typeof capExtents)[number] | undefined
}

export const capsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/rules/caps',
  validateSearch: ({ account, show }: Readonly<Record<string, unknown>>): CapsSearch => ({
    account: readSearchText(account),
    show: readSearchChoice(show, capExtents),
  }),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'CapsScreen'),
})

export const capsRoutes = [capsRoute] as const
