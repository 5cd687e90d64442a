/** Every protocol by its name. */
import { resolveSecret } from '../platform/config.ts'
import type { Connector, ConnectorContext } from './connector.ts'
import { createSandboxConnector } from './sandbox/connector.ts'
import { createSmppConnector } from './smpp/connector.ts'
import { parseSmppOptions } from './smpp/options.ts'

type CreateConnector = (options: unknown, context: ConnectorContext) => Connector

const protocols: Readonly<Record<string, CreateConnector>> = {
  sandbox: (_options, context) => createSandboxConnector(context),
  smpp: (options, context) => createSmppConnector(parseSmppOptions(options), context),
}

/** Throws with the name of the wrong option, so that an operator's mistake is found before traffic is. */
export function createConnector(
  protocol: string,
  options: Record<string, unknown>,
  context: ConnectorContext,
): Connector {
  const create = protocols[protocol]
  if (create === undefined) {
    throw new Error(`unknown protocol '${protocol}'; known are ${Object.keys(protocols).join(', ')}`)
  }
  const resolved = Object.fromEntries(
    Object.entries(options).map(([key, value]) => [
      key,
      typeof value === 'string' ? resolveSecret(value) : value,
    ]),
  )
  return create(resolved, context)
}
