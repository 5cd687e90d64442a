/** Options shared by routes to the carriers and to the KT relay. */
import { Type } from 'typebox'
import { addressToken, integer, milliseconds, receiptGroup, secret, text } from '../options/options.ts'
import { specialMeanings, failureCauses } from '../rcs-codes.ts'

export const agencyKey = secret(
  'Key of the agency, `AK.…`, from the RCS Biz Center. A new key is valid immediately; the old one stays valid for 24 hours. Not used for messages with their own agency.',
  64,
)

export const brandKey = Type.Optional(
  secret(
    'Key of the brand, `BK.…`, for messages without one, such as those of stored forms. If unset, such messages are refused.',
    64,
  ),
)

export const shared = {
  previousWebhookToken: Type.Optional(
    addressToken(
      'The token before its last change. It is accepted as well, until all requests use the new URL.',
    ),
  ),
  messagebaseIds: Type.Record(Type.String({ maxLength: 40 }), text('Id at the carrier.', 40), {
    description:
      'Ids of formats whose id at the carrier differs, for example where sources disagree: { "OMTBNH0001": "OMTBNS0001" }. Default: the id that the client uses.',
    default: {},
  }),
  window: integer('Maximum number of open submissions, and of connections to each host.', 50, 1, 1_000),
  connectTimeoutMs: milliseconds('Time limit for connecting.', 5_000),
  responseTimeoutMs: milliseconds(
    'Time limit of a request, including the wait for a connection. Then the outcome of a submission is unknown.',
    15_000,
  ),
  throttleRetryMs: milliseconds(
    'Pause of the route after the carrier throttles it without Retry-After.',
    1_000,
  ),
  reconnectMinMs: milliseconds(
    'Pause before the first retry of a login. It doubles with every failure.',
    500,
  ),
  reconnectMaxMs: milliseconds('Longest pause between logins.', 30_000),
  loginPauseMs: milliseconds('Pause after the carrier refused the login.', 60_000, 10),
  expiryToleranceMs: Type.Integer({
    description:
      'A message that waited at most this long, in milliseconds, still gets the expiry option of its client, although the option can then end after the step. After a longer wait the message gets the next shorter option: 1 hour instead of 24.',
    minimum: 0,
    maximum: 3_600_000,
    default: 10_000,
  }),
  tokenMarginMs: milliseconds(
    'A token is renewed this long before it expires, or after half of its lifetime if that is later.',
    300_000,
  ),
  tokenLifetimeMs: milliseconds('Lifetime of a token if the response states none.', 3_600_000, 1_000),
  stopTimeoutMs: milliseconds('Maximum time that a stop waits for open submissions.', 10_000),
  repeatable: Type.Boolean({
    description:
      'Whether the carrier refuses a message id that it already accepted (a `duplicate` in the table below, such as 55806). A submission without a response is then repeated, and this refusal means that the first one was accepted. Disable it for a carrier that forgets ids, or that uses up the ids of submissions that it throttles.',
    default: true,
  }),
  uncertain: Type.Enum(['failed', 'pending'], {
    description:
      'Meaning of a status that leaves open whether the message was delivered: its code is `uncertain` or `duplicate` in the table below, such as 54004. `failed`: the step ends as outcome-unknown, and a fallback can reach the recipient twice. `pending`: the message waits for another status until its deadline.',
    default: 'failed',
  }),
  fileIdPrefix: Type.String({
    description: 'Prefix of the ids of uploaded files. The rest is the time and a part of their digest.',
    pattern: '^[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*$',
    maxLength: 24,
    default: 'BR.postern',
  }),
  fileLifetimeMs: Type.Integer({
    description:
      'Lifetime of an uploaded file if the response has no expiryDate, in milliseconds. Default: 30 days; a published guide states 365.',
    minimum: 1_000,
    maximum: 365 * 86_400_000,
    default: 30 * 86_400_000,
  }),
  codes: Type.Record(
    Type.String({ pattern: '^\\d{5}$' }),
    Type.Enum([...specialMeanings, ...failureCauses], {
      title: `${specialMeanings.map((meaning) => `"${meaning}"`).join(', ')} or a cause`,
      description: 'A meaning, or the cause of a failure.',
    }),
    {
      description: 'Meaning of each code that differs from the table below: { "50202": "throttled" }.',
      default: {},
    },
  ),
  receiptGroup: receiptGroup('routes with the same login'),
}
