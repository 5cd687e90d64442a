/** Options that routes to a carrier and to the KT relay have in common. Each default is stated in its description. */
import { Type } from 'typebox'
import { addressToken, integer, milliseconds, receiptGroup, secret, text } from '../options.ts'
import { answerMeanings, failureCauses } from '../rcs-codes.ts'

export const agencyKey = secret(
  'Key of the agency, `AK.…`, from the RCS Biz Center. A new one may be used at once; the old one is valid for 24 hours more. Not used for messages that name an agency of their own.',
  64,
)

export const brandKey = Type.Optional(
  secret(
    'Key of the brand, `BK.…`, of messages that name none, as those of stored forms. Without it they are refused.',
    64,
  ),
)

export const shared = {
  previousWebhookToken: Type.Optional(
    addressToken(
      'The token before its last change, accepted as well until all requests come to the new address.',
    ),
  ),
  messagebaseIds: Type.Record(Type.String({ maxLength: 40 }), text('Id at the carrier.', 40), {
    description:
      'Formats that the carrier knows by another id: { "OMTBNH0001": "OMTBNS0001" }, where sources disagree. Default: as the client names them.',
    default: {},
  }),
  window: integer('Maximum number of unanswered submissions, and of connections to each host.', 50, 1, 1_000),
  connectTimeoutMs: milliseconds('Time limit for connecting.', 5_000),
  responseTimeoutMs: milliseconds(
    'Time limit of a request, waiting for a connection included; after it the outcome of a submission is unknown.',
    15_000,
  ),
  throttleRetryMs: milliseconds(
    'Pause of the route after the carrier throttles it without Retry-After.',
    1_000,
  ),
  reconnectMinMs: milliseconds('Pause before the first try to get a token again; it doubles.', 500),
  reconnectMaxMs: milliseconds('Longest pause before a try to get a token again.', 30_000),
  loginPauseMs: milliseconds('Pause after the carrier refused the login.', 60_000, 10),
  expiryToleranceMs: Type.Integer({
    description:
      'A message that waited here for at most this long, in milliseconds, still gets the expiry option that its client asked for, which the carrier may then outlast the step by. After a longer wait it gets the next shorter one: 1 hour instead of 24.',
    minimum: 0,
    maximum: 3_600_000,
    default: 10_000,
  }),
  tokenMarginMs: milliseconds(
    'A token is renewed this long before it expires, or after half of its life if that is later.',
    300_000,
  ),
  tokenLifetimeMs: milliseconds('Life of a token whose answer does not state it.', 3_600_000, 1_000),
  stopTimeoutMs: milliseconds('How long a stop waits for open submissions.', 10_000),
  repeatable: Type.Boolean({
    description:
      'The carrier refuses a message id that it accepted before (55806, relay 71003): a submission without an answer is repeated, and this refusal means that the first one was accepted. Turn it off for a carrier that forgets ids, or uses them up with submissions that it throttles.',
    default: true,
  }),
  uncertain: Type.Enum(['failed', 'pending'], {
    description:
      'What a status means that leaves open whether the message was delivered (54004, 55820, 55821, 56002, 79998). `failed`: the step ends as outcome-unknown, and a fallback may reach the recipient twice. `pending`: it waits for another status until its deadline.',
    default: 'failed',
  }),
  fileIdPrefix: Type.String({
    description: 'Beginning of the ids of uploaded files; the rest is the time and a part of their digest.',
    pattern: '^[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*$',
    maxLength: 24,
    default: 'BR.postern',
  }),
  fileLifetimeMs: Type.Integer({
    description:
      'How long an uploaded file is used whose answer has no expiryDate, in milliseconds. Default: 30 days; a published guide says 365.',
    minimum: 1_000,
    maximum: 365 * 86_400_000,
    default: 30 * 86_400_000,
  }),
  codes: Type.Record(
    Type.String({ pattern: '^\\d{5}$' }),
    Type.Enum([...answerMeanings, ...failureCauses], {
      title: `${answerMeanings.map((meaning) => `"${meaning}"`).join(', ')} or a cause`,
      description: 'A meaning, or the cause of a failure.',
    }),
    {
      description:
        'Meaning of each code that differs from the table in docs/connectors/maap.md: { "50202": "throttled" }.',
      default: {},
    },
  ),
  receiptGroup: receiptGroup('those with the same login'),
}
