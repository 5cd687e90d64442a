/**
 * Options of a route to Google RCS Business Messaging, including everything that Google does not publish. The schema defines the
 * type, the validation and the documentation (docs/reference/connectors/rbm.md).
 */
import { Type, type Static } from 'typebox'
import { causes } from '../../../channels/cause.ts'
import {
  address,
  closed,
  countryCode,
  integer,
  milliseconds,
  receiptGroup,
  referable,
  secret,
  text,
  url,
} from '../options/options.ts'

const agentId = (description: string) =>
  Type.String({ description, minLength: 1, maxLength: 128, pattern: '^[\\x21-\\x7E]+$', ...referable })

const trafficType = (description: string, standard: string) =>
  Type.Enum(['none', 'AUTHENTICATION', 'TRANSACTION', 'PROMOTION', 'SERVICEREQUEST', 'ACKNOWLEDGEMENT'], {
    description,
    default: standard,
  })

const failures = causes.filter((name) => name !== 'delivered')

export const RbmOptions = Type.Object(
  {
    serviceAccount: secret(
      'Key file of the service account, as JSON: client_email, private_key and, if present, private_key_id and token_uri.',
      16_384,
    ),
    agentId: Type.Optional(agentId('Default agent. Required without agents.')),
    agents: Type.Record(Type.String({ minLength: 1, maxLength: 64 }), agentId('The agent of the brand.'), {
      description:
        'The agent of each RCS brand key: { "BK.abc": "acme_agent" }. A message with another brand key is refused as unregistered-sender. A message without a brand key is sent by agentId, or uses another route if the rule rcs-brand-registered is on. Without agents, every message is sent by agentId: allow such a route only for the accounts of that brand.',
      default: {},
    }),
    region: Type.Enum(['global', 'us', 'europe', 'asia'], {
      description: 'Endpoint: the region of the agent, or global.',
      default: 'global',
      ...address,
    }),
    url: Type.Optional(url('Base URL of the API, instead of the endpoint of Google.')),
    clientToken: secret(
      'Token of the webhook, chosen when it is configured at Google. It signs events.',
      1_024,
    ),
    countryCode: countryCode('Country of domestic numbers.'),
    trafficType: trafficType(
      'messageTrafficType of messages, required by multi-use agents. none: not sent.',
      'none',
    ),
    advertisementTrafficType: trafficType('messageTrafficType of advertisements (header 1).', 'PROMOTION'),
    advertisementPrefix: text('Text before an advertisement.', 64, '(광고) '),
    optOutPrefix: text(
      'Text before the opt-out number (footer) of an advertisement, in a separate last line.',
      64,
      '무료수신거부 ',
    ),
    mediaUrlLabel: text(
      'Label of the button that opens the mediaUrl of an image, because RBM images have no URL. Empty: mediaUrl is omitted.',
      25,
      'Open',
    ),
    revocationMarginMs: milliseconds(
      'Time before the deadline of a step at which Google stops and revokes its message, so that the revocation event arrives before the fallback starts. At most a quarter of the time of the step.',
      10_000,
    ),
    capabilityCheck: Type.Boolean({
      description:
        'Query whether a recipient can receive RCS before the first message to it. Otherwise the response to the message shows it, except for a phone that has been offline for long. Not done with agents, whose networks differ.',
      default: true,
    }),
    capableForMs: milliseconds('How long a recipient counts as capable.', 86_400_000),
    incapableForMs: milliseconds('How long a recipient counts as incapable.', 3_600_000),
    duplicateStatus: text(
      'Status of the response to a messageId that was already used; 200 has the same meaning. Google ignores such a message, and does not publish its response.',
      64,
      'ALREADY_EXISTS',
    ),
    recipientLimitText: text(
      'A 429 whose text contains this value is the limit of one recipient: the message is refused, and the route continues. Empty: every 429 throttles the route.',
      128,
      'for this agent on the user',
    ),
    statuses: Type.Record(
      Type.String({ maxLength: 64 }),
      Type.Enum(failures, { title: 'a cause', description: 'The cause of the refusal.' }),
      {
        description:
          'Causes of error statuses that refuse the message and differ from the table below: { "PERMISSION_DENIED": "unregistered-sender" }.',
        default: {},
      },
    ),
    window: integer('Maximum number of open submissions, and of connections.', 100, 1, 1_000),
    connectTimeoutMs: milliseconds('Time limit for connecting.', 10_000),
    responseTimeoutMs: milliseconds('Time limit for a response. Then the outcome is unknown.', 30_000),
    throttleRetryMs: milliseconds('Pause of the route after a 429 without Retry-After.', 1_000),
    reconnectMaxMs: milliseconds('Longest pause between failed token requests.', 30_000),
    loginPauseMs: milliseconds('Pause after Google has refused the service account.', 60_000),
    stopTimeoutMs: milliseconds('Maximum time that a stop waits for open submissions.', 10_000),
    receiptGroup: receiptGroup('routes with the same service account'),
  },
  { ...closed, description: 'Options of a link to Google RCS Business Messaging.' },
)
export type RbmOptions = Static<typeof RbmOptions>

const hosts: Readonly<Record<RbmOptions['region'], string>> = {
  global: 'https://rcsbusinessmessaging.googleapis.com',
  us: 'https://us-rcsbusinessmessaging.googleapis.com',
  europe: 'https://europe-rcsbusinessmessaging.googleapis.com',
  asia: 'https://asia-rcsbusinessmessaging.googleapis.com',
}

/** Returns the URL without a trailing slash. */
export function getBaseUrl({ url: baseUrl, region }: RbmOptions): string {
  return (baseUrl ?? hosts[region]).replace(/\/+$/, '')
}

/**
 * Returns undefined for a brand without an agent. With `agents`, `agentId` is only for messages without a brand: an unlisted brand
 * must not appear under another one.
 */
export function findAgent(
  { agents, agentId: standard }: RbmOptions,
  brandKey: string | undefined,
): string | undefined {
  if (brandKey === undefined || Object.keys(agents).length === 0) return standard
  return Object.hasOwn(agents, brandKey) ? agents[brandKey] : undefined
}
