import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'
import { readSearchChoice, readSearchText } from '../../components/search-text.ts'
import { capExtents, ruleStates, type CapsSearch, type HeldSearch, type SwitchesSearch } from './search.ts'

type Given = Readonly<Record<string, unknown>>

/** What needs a decision comes first, so it has the address of the screen. */
export const rulesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/rules',
  validateSearch: ({ account, rule }: Given): HeldSearch => ({
    account: readSearchText(account),
    rule: readSearchText(rule),
  }),
  component: lazyRouteComponent(() => import('./held/screen.tsx'), 'HeldScreen'),
})

export const switchesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/rules/switches',
  validateSearch: ({ state, find }: Given): SwitchesSearch => ({
    state: readSearchChoice(state, ruleStates),
    find: readSearchText(find),
  }),
  component: lazyRouteComponent(() => import('./switches/screen.tsx'), 'SwitchesScreen'),
})

/** Without filters: a number must not be in an address. */
export const suppressionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/rules/suppression',
  component: lazyRouteComponent(() => import('./suppression/screen.tsx'), 'SuppressionScreen'),
})

export const capsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/rules/caps',
  validateSearch: ({ account, show }: Given): CapsSearch => ({
    account: readSearchText(account),
    show: readSearchChoice(show, capExtents),
  }),
  component: lazyRouteComponent(() => import('./caps/screen.tsx'), 'CapsScreen'),
})

export const rulesRoutes = [rulesRoute, switchesRoute, suppressionRoute, capsRoute] as const
