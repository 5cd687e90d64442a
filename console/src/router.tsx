import { createRouter } from '@tanstack/react-router'
import { rootRoute, ScreenError } from './app/root-route.tsx'
import { Loading } from './components/Loading.tsx'
import { accountsRoutes } from './screens/accounts/route.ts'
import { auditRoutes } from './screens/audit/route.ts'
import { batchesRoutes } from './screens/batches/route.ts'
import { capsRoutes } from './screens/caps/route.ts'
import { heldRoutes } from './screens/held/route.ts'
import { messagesRoutes } from './screens/messages/route.ts'
import { nowRoutes } from './screens/now/route.ts'
import { parkedRoutes } from './screens/parked/route.ts'
import { routesRoutes } from './screens/routes/route.ts'
import { rulesRoutes } from './screens/rules/route.ts'
import { sandboxRoutes } from './screens/sandbox/route.ts'
import { sendersRoutes } from './screens/senders/route.ts'
import { suppressionRoutes } from './screens/suppression/route.ts'
import { webhooksRoutes } from './screens/webhooks/route.ts'

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    ...nowRoutes,
    ...messagesRoutes,
    ...batchesRoutes,
    ...routesRoutes,
    ...accountsRoutes,
    ...sendersRoutes,
    ...webhooksRoutes,
    ...parkedRoutes,
    ...heldRoutes,
    ...rulesRoutes,
    ...suppressionRoutes,
    ...capsRoutes,
    ...auditRoutes,
    ...sandboxRoutes,
  ]),
  defaultPreload: 'intent',
  defaultErrorComponent: ScreenError,
  defaultPendingComponent: Loading,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
