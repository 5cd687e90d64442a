import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'
import { senderKinds, senderStates, type SenderKind, type SenderState } from './states.ts'

export interface SendersSearch {
  /** Defaults to `pending`, and to all states for client users. */
  readonly state?: SenderState | 'all' | undefined
  readonly kind?: SenderKind | undefined
  readonly account?: string | undefined
}

export const sendersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/senders',
  validateSearch: ({ state, kind, account }: Readonly<Record<string, unknown>>): SendersSearch => ({
    ...(state === 'all' || senderStates.includes(state as SenderState)
      ? { state: state as SenderState | 'all' }
      : {}),
    ...(senderKinds.includes(kind as SenderKind) ? { kind: kind as SenderKind } : {}),
    // The router parses a client ID of digits as a number.
    ...((typeof account === 'string' || typeof account === 'number') && account !== ''
      ? { account: String(account).slice(0, 200) }
      : {}),
  }),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'SendersScreen'),
})

export const senderRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/senders/$account/$id',
  component: lazyRouteComponent(() => import('./sender.tsx'), 'SenderScreen'),
})

export const sendersRoutes = [sendersRoute, senderRoute] as const
