import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'
import { readSearchText } from '../../components/search-text.ts'

interface HeldSearch {
  readonly account?: string | undefined
  readonly rule?: string | undefined
}

/** Opens first from the menu, because held messages need a decision. */
export const heldRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/rules',
  validateSearch: ({ account, rule }: Readonly<Record<string, unknown>>): HeldSearch => ({
    account: readSearchText(account),
    rule: readSearchText(rule),
  }),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'HeldScreen'),
})

export const heldRoutes = [heldRoute] as const
