import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

export const batchStates = ['running', 'paused', 'checking', 'ready', 'open', 'ended', 'cancelled'] as const
export type BatchState = (typeof batchStates)[number]

export interface BatchesSearch {
  readonly state?: BatchState | undefined
  readonly account?: string | undefined
}

export const batchesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/batches',
  validateSearch: ({ state, account }: Readonly<Record<string, unknown>>): BatchesSearch => ({
    ...(batchStates.includes(state as BatchState) ? { state: state as BatchState } : {}),
    // The router parses a client ID of digits as a number.
    ...((typeof account === 'string' || typeof account === 'number') && account !== ''
      ? { account: String(account).slice(0, 200) }
      : {}),
  }),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'BatchesScreen'),
})

export const batchRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/batches/$id',
  component: lazyRouteComponent(() => import('./batch.tsx'), 'BatchScreen'),
})

export const batchesRoutes = [batchesRoute, batchRoute] as const
