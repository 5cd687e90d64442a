/** Creates the connector of a route by the name of its protocol. What it reports of its carrier is bounded, see `bounds.ts`. */
import { resolveSecret } from '../platform/config.ts'
import { createBounded } from './bounds.ts'
import type { Connector, ConnectorContext } from './connector.ts'
import { createSandboxConnector } from './sandbox/connector.ts'
import { createSmppConnector } from './smpp/connector.ts'
import { parseSmppOptions } from './smpp/options.ts'

type CreateConnector = (options: unknown, context: ConnectorContext) => Connector

const protocols: Readonly<Record<string, CreateConnector>> = {
  sandbox: (_options, context) => createSandboxConnector(context),
  smpp: (options, context) => createSmppConnector(parseSmppOptions(options), context),
}

/** Throws an error that names the invalid option, so that a mistake is found before any traffic. */
export function createConnector(
  protocol: string,
  options: Record<string, unknown>,
  context: ConnectorContext,
): Connector {
  const create = protocols[protocol]
  if (create === undefined) {
    throw new Error(`protocol must be one of ${Object.keys(protocols).join(', ')}, but is '${protocol}'`)
  }
  const resolved = Object.fromEntries(
    Object.entries(options).map(([key, value]) => [
      key,
      typeof value === 'string' ? resolveSecret(value) : value,
    ]),
  )
  return createBounded((bounded) => create(resolved, bounded), context)
}
