/** Routes of the models of trust: the sandbox, SMPP, and SMPP that carries the origin code in a tag. */
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
}
