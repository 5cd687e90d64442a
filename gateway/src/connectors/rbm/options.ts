/**
 * The options of a route to Google RCS Business Messaging. What Google does not publish is an option. The schema is the
 * type, the validator and the documentation (docs/connectors/rbm.md).
 */
import { Type, type Static } from 'typebox'
import { causes } from '../../channels/cause.ts'
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
} from '../options.ts'

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
      'The key file of the service account, as JSON: client_email, private_key and, if present, private_key_id and token_uri.',
      16_384,
    ),
    agentId: Type.Optional(agentId('The agent that sends. Required without agents.')),
    agents: Type.Record(Type.String({ minLength: 1, maxLength: 64 }), agentId('The agent of the brand.'), {
      description:
        'The agent of each RCS brand key: { "BK.abc": "acme_agent" }. A message with another brand key is refused as unregistered-sender; one without a brand key is sent by agentId, or takes another route where the rule rcs-brand-registered is on. Without agents, every message is sent by agentId: give such a route to the accounts of that brand only.',
      default: {},
    }),
    region: Type.Enum(['global', 'us', 'europe', 'asia'], {
      description: 'The endpoint: that of the region of the agent, or the global one.',
      default: 'global',
      ...address,
    }),
    url: Type.Optional(url('Address of the API, instead of the endpoint of Google.')),
    clientToken: secret(
      'The token of the webhook, chosen when it is configured at Google. It signs events.',
      1_024,
    ),
    countryCode: countryCode('Country of domestic numbers.'),
    trafficType: trafficType(
      'messageTrafficType of messages, which agents of the multi-use kind require. none: it is not sent.',
      'none',
    ),
    advertisementTrafficType: trafficType('The same for advertisements (header 1).', 'PROMOTION'),
    advertisementPrefix: text('Written before the text of an advertisement.', 64, '(광고) '),
    optOutPrefix: text(
      'Written before the opt-out number (footer) of an advertisement, in a last line of its own.',
      64,
      '무료수신거부 ',
    ),
    mediaUrlLabel: text(
      'Label of the button that opens the mediaUrl of an image: RBM has no address of an image itself. Empty: mediaUrl is left out.',
      25,
      'Open',
    ),
    revocationMarginMs: milliseconds(
      'How long before the deadline of a step Google gives up on its message and revokes it, so that the event about that arrives before the fallback starts. At most a quarter of the time of the step.',
      10_000,
    ),
    capabilityCheck: Type.Boolean({
      description:
        'Ask whether a recipient can receive RCS before the first message to it. Without it the answer to the message tells, but not for a phone that has been offline for long. Not done with agents, whose networks differ.',
      default: true,
    }),
    capableForMs: milliseconds('How long a recipient is known to be capable.', 86_400_000),
    incapableForMs: milliseconds('How long a recipient is known to be incapable.', 3_600_000),
    duplicateStatus: text(
      'Status of an answer to a messageId that was used before; 200 is one, too. Google ignores such a message, and does not publish its answer.',
      64,
      'ALREADY_EXISTS',
    ),
    recipientLimitText: text(
      'A 429 whose text contains this is the limit of one recipient: the message is refused, and the route goes on. Empty: every 429 throttles the route.',
      128,
      'for this agent on the user',
    ),
    statuses: Type.Record(
      Type.String({ maxLength: 64 }),
      Type.Enum(failures, { title: 'a cause', description: 'The cause that the message is refused with.' }),
      {
        description:
          'Statuses of errors that refuse the message, where they differ from the table in docs/connectors/rbm.md: { "PERMISSION_DENIED": "unregistered-sender" }.',
        default: {},
      },
    ),
    window: integer('Maximum number of unanswered submissions, and of connections.', 100, 1, 1_000),
    connectTimeoutMs: milliseconds('Time limit for connecting.', 10_000),
    responseTimeoutMs: milliseconds('Time limit for an answer; after it the outcome is unknown.', 30_000),
    throttleRetryMs: milliseconds('Pause of the route after a 429 without Retry-After.', 1_000),
    reconnectMaxMs: milliseconds('Longest pause between requests for a token that fail.', 30_000),
    loginPauseMs: milliseconds('Pause after Google has refused the service account.', 60_000),
    stopTimeoutMs: milliseconds('How long a stop waits for open submissions.', 10_000),
    receiptGroup: receiptGroup('those with the same service account'),
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

/** Without a slash at its end. */
export function baseUrlOf({ url: address, region }: RbmOptions): string {
  return (address ?? hosts[region]).replace(/\/+$/, '')
}

/**
 * Undefined for a brand that has no agent here. With `agents`, the agent of the route is for messages without a brand alone:
 * a brand that is not listed must not appear under another one.
 */
export function agentOf(
  { agents, agentId: standard }: RbmOptions,
  brandKey: string | undefined,
): string | undefined {
  if (brandKey === undefined || Object.keys(agents).length === 0) return standard
  return Object.hasOwn(agents, brandKey) ? agents[brandKey] : undefined
}
