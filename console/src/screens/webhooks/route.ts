import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

export const webhookStates = ['failing', 'disabled', 'enabled'] as const
type WebhookState = (typeof webhookStates)[number]

export interface WebhooksSearch {
  readonly state?: WebhookState | undefined
  readonly account?: string | undefined
}

export const webhooksRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/webhooks',
  validateSearch: ({ state, account }: Readonly<Record<string, unknown>>): WebhooksSearch => ({
    ...(webhookStates.includes(state as WebhookState) ? { state: state as WebhookState } : {}),
    // The router parses a client ID of digits as a number.
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
