import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'
import { readSearchChoice, readSearchText } from '../../components/search-text.ts'

export const ruleStates = ['on', 'off', 'fixed'] as const

export interface RulesSearch {
  readonly state?: (typeof ruleStates)[number] | undefined
  readonly find?: string | undefined
}

export const rulesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/rules/switches',
  validateSearch: ({ state, find }: Readonly<Record<string, unknown>>): RulesSearch => ({
    state: readSearchChoice(state, ruleStates),
    find: readSearchText(find),
  }),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'RulesScreen'),
})

export const rulesRoutes = [rulesRoute] as const
