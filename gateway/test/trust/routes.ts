/**
 * Routes of the models of trust: the sandbox, SMPP, SMPP that carries the origin code in a tag, and RBM that sends messages without a
 * brand under one that others use too.
 */
import { openRules } from '../../src/routes/route.ts'
import type { RouteShare } from '../../src/routes/shares.ts'

const routeOf = (protocol: string, options: Readonly<Record<string, unknown>>): RouteShare => ({
  ...{
    routeId: 'r',
    id: 'r',
    channels: [],
    protocol,
    options,
    priority: 1,
    partsPerSecond: 0,
    enabled: true,
  },
  ...openRules,
})
const link = { host: 'h', port: 1, systemId: 's', password: 'p' }

export const routes = {
  sandbox: routeOf('sandbox', {}),
  smpp: routeOf('smpp', link),
  tagged: routeOf('smpp', { ...link, originCidTag: 5121 }),
  lending: routeOf('rbm', {
    ...{ serviceAccount: JSON.stringify({ client_email: 'a@b', private_key: 'k' }), clientToken: 't' },
    ...{ agentId: 'a', agents: { b: 'own' } },
  }),
}
