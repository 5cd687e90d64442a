/** The options that every provider has, besides those of its account. */
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
} from '../../options.ts'
import { senders } from '../../senders.ts'
import type { Provider } from './provider.ts'

const linkOptions = {
  countryCode: countryCode('Country code of numbers in domestic form.'),
  senders,
  window: integer('Maximum number of open requests, each over its own connection.', 20, 1, 1_000),
  connectTimeoutMs: milliseconds('Time limit for connecting.', 5_000),
  responseTimeoutMs: milliseconds('Time limit for an answer; after it the outcome is unknown.', 30_000),
  throttleRetryMs: milliseconds('Pause after throttling without Retry-After.', 1_000),
  reconnectMs: milliseconds('Pause of the link after a connection failed.', 1_000),
  loginPauseMs: milliseconds(
    'Pause of the link after the provider refused the account; one message then tries again.',
    60_000,
  ),
  stopTimeoutMs: milliseconds('How long a stop waits for open requests.', 10_000),
  maxAnswerBytes: integer('Longest answer that is read, in bytes.', 65_536, 1_024, 1_048_576),
  tls,
  receiptGroup: receiptGroup('those with the same login'),
}

const callbackOptions = {
  callbackUrl: Type.Optional(
    Type.String({
      description: 'The public address of this route for callbacks: https://<API>/inbound/<route>.',
      maxLength: 2_048,
      pattern: '^https?://\\S+$',
      ...host,
    }),
  ),
}

const tokenOptions = {
  callbackToken: Type.Optional(
    addressToken(
      'A secret of your own, which is added to callbackUrl as its last segment: it proves that a callback comes from the provider.',
    ),
  ),
  previousCallbackToken: Type.Optional(
    addressToken(
      'The callbackToken before a change: messages that were sent before it have it in their address.',
    ),
  ),
}

const all = Type.Object({
  ...linkOptions,
  ...callbackOptions,
  callbackToken: Type.Optional(Type.String()),
  previousCallbackToken: Type.Optional(Type.String()),
  poll: Type.Optional(Type.Boolean()),
  pollIntervalMs: Type.Optional(Type.Integer()),
})
/** The options of a provider's route without those of its account. */
export type LinkOptions = Static<typeof all>

/** The schema of a provider's options: those of its account first. */
export function createOptions({ name, account, callback, poll }: Provider) {
  const properties: TProperties = {
    ...account,
    ...(callback === undefined ? {} : callbackOptions),
    ...(callback?.verify === 'path' ? tokenOptions : {}),
    ...(poll === undefined
      ? {}
      : {
          poll: Type.Boolean({
            description: 'Ask the provider for results.',
            default: callback === undefined,
          }),
          pollIntervalMs: milliseconds('Pause between two requests for results.', poll.everyMs, 100),
        }),
    ...linkOptions,
    // A page of results may contain the texts of its messages.
  }
  return Type.Object(properties, { ...closed, description: `Options of a route over ${name}.` })
}

/** The address of a provider's API; tests and proxies replace it. Required where each account has one of its own. */
export function apiUrl(standard?: string) {
  return url('Address of the API.', standard)
}
