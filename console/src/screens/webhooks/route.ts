import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'
import { webhookStates, type WebhookState } from './states.ts'

export interface WebhooksSearch {
  readonly state?: WebhookState | undefined
  readonly account?: string | undefined
}

export const webhooksRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/webhooks',
  validateSearch: ({ state, account }: Readonly<Record<string, unknown>>): WebhooksSearch => ({
    ...(webhookStates.includes(state as WebhookState) ? { state: state as WebhookState } : {}),
    // A client id of digits is read as a number.
    ...((typeof account === 'string' || typeof account === 'number') && account !== ''
      ? { account: String(account).slice(0, 200) }
      : {}),
  }),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'WebhooksScreen'),
})

export const webhookRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/webhooks/$id',
  component: lazyRouteComponent(() => import('./webhook.tsx'), 'WebhookScreen'),
})

export const webhooksRoutes = [webhooksRoute, webhookRoute] as const
