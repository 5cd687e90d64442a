/** Creates the connector of a route by the name of its protocol. What it reports of its carrier is bounded, see `bounds.ts`. */
import { resolveSecret } from '../platform/config.ts'
import { createBounded } from './bounds.ts'
import type { Connector, ConnectorContext } from './connector.ts'
import { createSandboxConnector } from './sandbox/connector.ts'
import { createSmppConnector } from './smpp/connector.ts'
import { parseSmppOptions, smppLogin } from './smpp/options.ts'

type Options = Readonly<Record<string, unknown>>

interface Protocol {
  readonly create: (options: Options, context: ConnectorContext) => Connector
  /** Names the login at the carrier; null when the options have none. Routes with the same login share their receipts. */
  readonly login: (options: Options) => string | null
}

const protocols: Readonly<Record<string, Protocol>> = {
  sandbox: { create: (_options, context) => createSandboxConnector(context), login: () => 'sandbox' },
  smpp: {
    create: (options, context) => createSmppConnector(parseSmppOptions(options), context),
    login: smppLogin,
  },
}

/** Throws an error that names the invalid option, so that a mistake is found before any traffic. */
export function createConnector(protocol: string, options: Options, context: ConnectorContext): Connector {
  const known = protocols[protocol]
  if (known === undefined) {
    throw new Error(`protocol must be one of ${Object.keys(protocols).join(', ')}, but is '${protocol}'`)
  }
  const resolved = resolveSecrets(options)
  return createBounded((bounded) => known.create(resolved, bounded), context)
}

/** Two routes with the same login may receive each other's receipts. Null when the options name none. */
export function loginOf(protocol: string, options: Options): string | null {
  try {
    return protocols[protocol]?.login(resolveSecrets(options)) ?? null
  } catch {
    // An environment variable is missing in this process, which then does not own the route either.
    return null
  }
}

function resolveSecrets(options: Options): Options {
  return Object.fromEntries(
    Object.entries(options).map(([key, value]) => [
      key,
      typeof value === 'string' ? resolveSecret(value) : value,
    ]),
  )
}
