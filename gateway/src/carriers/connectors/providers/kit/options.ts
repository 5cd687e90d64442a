/** Options of provider routes, in addition to those of the account: those that all have, and those for callbacks and polling. */
import { Type, type Static, type TProperties } from 'typebox'
import {
  addressToken,
  closed,
  countryCode,
  host,
  integer,
  milliseconds,
  receiptGroup,
  tls,
  url,
} from '../../options/options.ts'
import { senders } from '../../senders.ts'
import type { Provider } from './provider.ts'

const linkOptions = {
  countryCode: countryCode('Country code of numbers in domestic form.'),
  senders,
  window: integer('Maximum number of open requests, each over its own connection.', 20, 1, 1_000),
  connectTimeoutMs: milliseconds('Time limit for connecting.', 5_000),
  responseTimeoutMs: milliseconds('Time limit for a response. Then the outcome is unknown.', 30_000),
  throttleRetryMs: milliseconds('Pause after throttling without Retry-After.', 1_000),
  reconnectMs: milliseconds('Pause of the link after a connection failed.', 1_000),
  loginPauseMs: milliseconds(
    'Pause of the link after the provider refused the account. After the pause, one message tests whether the account is accepted.',
    60_000,
  ),
  stopTimeoutMs: milliseconds('Maximum time that a stop waits for open requests.', 10_000),
  maxAnswerBytes: integer('Maximum size of a response, in bytes.', 65_536, 1_024, 1_048_576),
  tls,
  receiptGroup: receiptGroup('routes with the same login'),
}

const callbackOptions = {
  callbackUrl: Type.Optional(
    Type.String({
      description: 'Public URL of this route for callbacks: https://<API>/inbound/<route>.',
      maxLength: 2_048,
      pattern: '^https?://\\S+$',
      ...host,
    }),
  ),
}

const tokenOptions = {
  callbackToken: Type.Optional(
    addressToken(
      'A secret that you choose. It proves that a callback comes from the provider. The gateway appends it to callbackUrl; do not include it there. Register <callbackUrl>/<callbackToken> at the provider.',
    ),
  ),
  previousCallbackToken: Type.Optional(
    addressToken(
      'The callbackToken before a change. It is still accepted, because messages sent before the change have it in their callback URL.',
    ),
  ),
}

const providerLinkOptions = Type.Object({
  ...linkOptions,
  ...callbackOptions,
  callbackToken: Type.Optional(Type.String()),
  previousCallbackToken: Type.Optional(Type.String()),
  poll: Type.Optional(Type.Boolean()),
  pollIntervalMs: Type.Optional(Type.Integer()),
})
/** Options of a provider's route without those of its account. */
export type ProviderLinkOptions = Static<typeof providerLinkOptions>

/** Returns the schema of a provider's options, those of its account first. */
export function createOptions({ name, account, callback, poll }: Provider) {
  const properties: TProperties = {
    ...account,
    ...(callback === undefined ? {} : callbackOptions),
    ...(callback?.verify === 'path' ? tokenOptions : {}),
    ...(poll === undefined
      ? {}
      : {
          poll: Type.Boolean({
            description: 'Poll the provider for results.',
            default: callback === undefined,
          }),
          pollIntervalMs: milliseconds('Pause between two requests for results.', poll.everyMs, 100),
        }),
    ...linkOptions,
  }
  return Type.Object(properties, { ...closed, description: `Options of a route over ${name}.` })
}

/**
 * Option for the base URL of a provider's API; tests and proxies set another. Without `standard` it is required: each
 * account has its own URL.
 */
export function apiUrl(standard?: string) {
  return url('Base URL of the API.', standard)
}
