/** Routes to an SMPP peer of the test, open to all accounts; a lost link is restored immediately. */
import type { Route } from '../../../src/carriers/routes/route.ts'
import { testRoute } from '../routes.ts'

export function smppRoute(
  id: string,
  peer: { readonly port: number },
  overrides: Partial<Route> = {},
): Route {
  const options = {
    host: '127.0.0.1',
    port: peer.port,
    systemId: 'postern',
    password: 'secret08',
    reconnectMinMs: 10,
  }
  return testRoute(id, { options, ...overrides })
}
