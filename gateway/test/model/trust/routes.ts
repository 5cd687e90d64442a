import { openRules } from '../../../src/carriers/routes/route.ts'
import type { RouteShare } from '../../../src/carriers/routes/shares.ts'

const createRoute = (protocol: string, options: Readonly<Record<string, unknown>>): RouteShare => ({
  routeId: 'r',
  id: 'r',
  channels: [],
  protocol,
  options,
  priority: 1,
  partsPerSecond: 0,
  enabled: true,
  ...openRules,
})
const link = { host: 'h', port: 1, systemId: 's', password: 'p' }

/** Routes of trust models: sandbox, SMPP, SMPP with an origin code tag, and RBM with a shared brand. */
export const modelRoutes = {
  sandbox: createRoute('sandbox', {}),
  smpp: createRoute('smpp', link),
  tagged: createRoute('smpp', { ...link, originCidTag: 5121 }),
  lending: createRoute('rbm', {
    serviceAccount: JSON.stringify({ client_email: 'a@b', private_key: 'k' }),
    clientToken: 't',
    agentId: 'a',
    agents: { b: 'own' },
  }),
}
