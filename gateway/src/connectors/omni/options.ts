/** The options of a route to a service with the API of this gateway. The schema is the type, the check and the page. */
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Webhook } from 'standardwebhooks'
import { environmentName } from '../../platform/config.ts'
import { processEnvironment } from '../../platform/environment.ts'
import { checkCertificates } from '../certificates.ts'
import { accountName, causesByCode, closed, integer, milliseconds, secret, tls, url } from '../options.ts'
import { senders } from '../senders.ts'

export const OmniOptions = Type.Object(
  {
    url: url('Address of the service: everything before `/v1/send`.'),
    clientId: accountName('Client id of the account at the service.', 128),
    password: secret('Password of the account.', 256),
    headerPrefix: Type.String({
      description:
        'Vendor prefix of the credential headers: `X-<prefix>-Client-Id`. One of `POSTERN_CREDENTIAL_PREFIXES` of another Postern.',
      pattern: '^[A-Za-z0-9-]{1,32}$',
      default: 'SVC',
    }),
    senders,
    results: Type.Enum(['polling', 'stream', 'webhook'], {
      description:
        'How results arrive. `polling`: for every service with this API, from an account that nothing else polls. `stream`: `/v1/report/stream` of another Postern. `webhook`: the service calls `/inbound/<route>/report`.',
      default: 'polling',
    }),
    consumer: Type.String({
      description: 'Name of the consumer of the stream. Every reader of the account needs a name of its own.',
      pattern: '^[A-Za-z0-9._-]{1,64}$',
      default: 'postern',
    }),
    webhookSecret: Type.Optional(
      secret('Secret of the webhook, needed with `webhook`: `whsec_…` of another Postern.', 256),
    ),
    previousWebhookSecret: Type.Optional(
      secret(
        'The secret before the last change, accepted as well: reports of earlier messages have it.',
        256,
      ),
    ),
    webhookSignature: Type.Enum(['standard', 'path'], {
      description:
        '`standard`: requests are signed as in Standard Webhooks. `path`: for a service that does not sign, the secret is the end of the URL, `/inbound/<route>/report/<secret>`.',
      default: 'standard',
    }),
    idempotency: Type.Boolean({
      description:
        'The service takes `Idempotency-Key`, as Postern does: a submission without an answer is repeated. Leave it off for a service that ignores the header, or messages are sent twice.',
      default: false,
    }),
    window: integer('Maximum number of unanswered submissions.', 100, 1, 1_000),
    responseTimeoutMs: milliseconds(
      'Time limit for an answer; after it the outcome is unknown.',
      10_000,
      100,
    ),
    pollIntervalMs: milliseconds('Pause after an empty answer to a request for results.', 2_000, 10),
    reconnectMinMs: milliseconds('Pause before the first try to log in again; it doubles.', 500),
    reconnectMaxMs: milliseconds('Longest pause before a try to log in again.', 30_000),
    loginPauseMs: milliseconds('Pause after the service refused the account.', 60_000, 10),
    resultsTimeoutMs: milliseconds(
      'Results that cannot be read for this long take the link down, so that other routes take the messages.',
      300_000,
      10,
    ),
    expiryToleranceMs: Type.Integer({
      description:
        'The service is asked for a time limit (`ttl`, in a flow) when it would try for longer than the step lasts by more than this, in milliseconds. Within it a simple send is used.',
      minimum: 0,
      maximum: 3_600_000,
      default: 10_000,
    }),
    throttleRetryMs: milliseconds('Pause after a throttled submission without `Retry-After`.', 1_000),
    stopTimeoutMs: milliseconds('How long a stop waits for open submissions.', 5_000),
    causes: causesByCode('Report codes of this service whose meaning differs, with their cause.'),
    tls,
  },
  closed,
)
export type OmniOptions = Static<typeof OmniOptions>

export function checkOmniOptions(options: OmniOptions): void {
  for (const name of ['clientId', 'password'] as const)
    if (!/^[\x20-\x7e]+$/.test(options[name]))
      throw new Error(
        `omni options: ${name} must have printable ASCII characters only: it is sent in a header`,
      )
  if (options.results === 'webhook') checkWebhook(options)
  checkCertificates(options.tls ?? {}, 'omni options: tls.')
  const own = processEnvironment[environmentName('publicFileBase')]
  if (own !== undefined && URL.canParse(own) && new URL(own).origin === new URL(options.url).origin)
    throw new Error(
      `omni options: url is the address of this gateway (${environmentName('publicFileBase')}), so messages would return to it; use the address of the other service`,
    )
}

function checkWebhook(options: OmniOptions): void {
  if (options.webhookSecret === undefined)
    throw new Error('omni options: webhookSecret must be given with results webhook')
  for (const name of ['webhookSecret', 'previousWebhookSecret'] as const) {
    const value = options[name]
    if (value !== undefined) checkSecret(name, value, options.webhookSignature)
  }
}

function checkSecret(name: string, value: string, signature: OmniOptions['webhookSignature']): void {
  if (signature === 'path') {
    if (/^[\w-]{16,}$/.test(value)) return
    throw new Error(`omni options: ${name} must be at least 16 letters, digits, - or _ in a path`)
  }
  try {
    new Webhook(value)
  } catch {
    throw new Error(`omni options: ${name} must be in base64, with or without whsec_ before it`)
  }
}

/** The account: its routes share its results. */
export function omniLogin({ url: address, clientId }: OmniOptions): readonly string[] {
  const { host, pathname } = new URL(address)
  return [host, pathname.replace(/\/+$/, ''), clientId]
}
