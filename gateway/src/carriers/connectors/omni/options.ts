/** Options of a route to a service with the API of this gateway. The schema defines the type, validation and documentation. */
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Webhook } from 'standardwebhooks'
import { environmentName } from '../../../platform/settings/config.ts'
import { processEnvironment } from '../../../platform/settings/environment.ts'
import { checkCertificates } from '../http/certificates.ts'
import {
  accountName,
  causesByCode,
  closed,
  integer,
  milliseconds,
  secret,
  tls,
  url,
} from '../options/options.ts'
import { senders } from '../senders.ts'

export const OmniOptions = Type.Object(
  {
    url: url('Base URL of the service: everything before `/v1/send`.'),
    clientId: accountName('Client id of the account at the service.', 128),
    password: secret('Password of the account.', 256),
    headerPrefix: Type.String({
      description:
        'Vendor prefix of the credential headers: `X-<prefix>-Client-Id`. For another Postern, one of its `POSTERN_CREDENTIAL_PREFIXES`.',
      pattern: '^[A-Za-z0-9-]{1,32}$',
      default: 'SVC',
    }),
    senders,
    results: Type.Enum(['polling', 'stream', 'webhook'], {
      description:
        'How results arrive. `polling`: for every service with this API, from an account that no other program polls. `stream`: `/v1/report/stream` of another Postern. `webhook`: the service calls `/inbound/<route>/report`.',
      default: 'polling',
    }),
    consumer: Type.String({
      description: 'Name of the consumer of the stream. Every reader of the account needs a unique name.',
      pattern: '^[A-Za-z0-9._-]{1,64}$',
      default: 'postern',
    }),
    webhookSecret: Type.Optional(
      secret('Secret of the webhook, required with `webhook`: `whsec_…` of another Postern.', 256),
    ),
    previousWebhookSecret: Type.Optional(
      secret(
        'The secret before the last change. It is accepted as well, because reports of earlier messages use it.',
        256,
      ),
    ),
    webhookSignature: Type.Enum(['standard', 'path'], {
      description:
        '`standard`: requests are signed as in Standard Webhooks. `path`: for a service that does not sign, the secret is the last part of the URL, `/inbound/<route>/report/<secret>`.',
      default: 'standard',
    }),
    idempotency: Type.Boolean({
      description:
        'Whether the service supports `Idempotency-Key`, as Postern does. A submission without a response is then repeated. Leave it off for a service that ignores the header, otherwise messages are sent twice.',
      default: false,
    }),
    window: integer('Maximum number of open submissions.', 100, 1, 1_000),
    responseTimeoutMs: milliseconds('Time limit for a response. Then the outcome is unknown.', 10_000, 100),
    pollIntervalMs: milliseconds('Pause after an empty response to a request for results.', 2_000, 10),
    reconnectMinMs: milliseconds(
      'Pause before the first retry of a login. It doubles with every failure.',
      500,
    ),
    reconnectMaxMs: milliseconds('Longest pause between logins.', 30_000),
    loginPauseMs: milliseconds('Pause after the service refused the account.', 60_000, 10),
    resultsTimeoutMs: milliseconds(
      'If results cannot be read for this long, the link goes down, so that other routes take over the messages.',
      300_000,
      10,
    ),
    expiryToleranceMs: Type.Integer({
      description:
        'A time limit (`ttl`, in a flow) is sent if the service would otherwise attempt delivery this much longer than the step, in milliseconds. Up to this difference, a simple send is used.',
      minimum: 0,
      maximum: 3_600_000,
      default: 10_000,
    }),
    throttleRetryMs: milliseconds('Pause after a throttled submission without `Retry-After`.', 1_000),
    stopTimeoutMs: milliseconds('Maximum time that a stop waits for open submissions.', 5_000),
    causes: causesByCode('Causes of report codes whose meaning differs at this service.'),
    tls,
  },
  closed,
)
export type OmniOptions = Static<typeof OmniOptions>

export function checkOmniOptions(options: OmniOptions): void {
  for (const name of ['clientId', 'password'] as const)
    if (!/^[\x20-\x7e]+$/.test(options[name]))
      throw new Error(
        `omni options: ${name} must contain only printable ASCII characters, because it is sent in a header`,
      )
  if (options.results === 'webhook') checkWebhook(options)
  checkCertificates(options.tls ?? {}, 'omni options: tls.')
  const publicUrl = processEnvironment[environmentName('publicFileUrl')]
  if (publicUrl && URL.canParse(publicUrl) && new URL(publicUrl).origin === new URL(options.url).origin)
    throw new Error(
      `omni options: url must not be the URL of this gateway (${environmentName('publicFileUrl')}); use the URL of the other service`,
    )
}

function checkWebhook(options: OmniOptions): void {
  if (options.webhookSecret === undefined)
    throw new Error('omni options: webhookSecret is required with results webhook')
  for (const name of ['webhookSecret', 'previousWebhookSecret'] as const) {
    const value = options[name]
    if (value !== undefined) checkSecret(name, value, options.webhookSignature)
  }
}

function checkSecret(name: string, value: string, signature: OmniOptions['webhookSignature']): void {
  if (signature === 'path') {
    if (/^[\w-]{16,}$/.test(value)) return
    throw new Error(
      `omni options: ${name} must be at least 16 letters, digits, - or _ with webhookSignature path`,
    )
  }
  try {
    new Webhook(value)
  } catch {
    throw new Error(`omni options: ${name} must be base64, optionally with the prefix whsec_`)
  }
}

/** Identifies the account: all its routes share its results. */
export function omniLogin({ url: baseUrl, clientId }: OmniOptions): readonly string[] {
  const { host, pathname } = new URL(baseUrl)
  return [host, pathname.replace(/\/+$/, ''), clientId]
}
