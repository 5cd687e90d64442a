/** What webhook endpoints take and answer, described once: the server checks and writes by these schemas. */
import { Type } from 'typebox'
import { answerWith } from '../contract/answer.ts'
import { acknowledgements, webhookDefaults, webhooksPerAccount } from './webhook.ts'

const time = (what: string) => Type.String({ description: `${what}: yyyy-MM-dd'T'HH:mm:ssXXX` })
const optionalTime = (what: string) => Type.String({ description: `${what}; empty when it does not apply` })
const ranged = (minimum: number, maximum: number, standard: number, description: string) =>
  Type.Integer({ minimum, maximum, default: standard, description })

const settings = {
  url: Type.String({
    minLength: 1,
    maxLength: 2000,
    description: 'Public https or http URL; POST goes there',
  }),
  name: Type.String({ maxLength: 100, default: '', description: 'A name of your own' }),
  perSecond: ranged(1, 1000, webhookDefaults.perSecond, 'Pushes a second at most'),
  concurrency: ranged(1, 100, webhookDefaults.concurrency, 'Pushes under way at once at most'),
  timeoutSeconds: ranged(1, 30, webhookDefaults.timeoutSeconds, 'How long an answer is waited for'),
  acknowledgement: Type.Enum(acknowledgements, {
    default: webhookDefaults.acknowledgement,
    description: 'msgKey: only 200 with {"msgKey":"<same>"} acknowledges a report; status: any 2xx does',
  }),
  notices: Type.Boolean({
    default: webhookDefaults.notices,
    description: 'Whether it is told when another webhook of the account was disabled',
  }),
  enabled: Type.Boolean({
    default: true,
    description: 'Whether reports are pushed; enabled again, it goes on where it stopped, up to 3 days back',
  }),
}
const { url, ...others } = settings
const secret = Type.String({
  maxLength: 100,
  description: 'Signing secret: whsec_ and 24 to 64 bytes in base64; one is made up when it is left out',
})

export const CreateBody = Type.Object(
  { url, ...Type.Partial(Type.Object(others)).properties, secret: Type.Optional(secret) },
  { additionalProperties: false, description: 'A webhook' },
)
export const ChangeBody = Type.Partial(Type.Object(settings), {
  additionalProperties: false,
  description: 'Settings to change; what is left out stays as it is',
})
export const RotateBody = Type.Object(
  {
    secret: Type.Optional(secret),
    keepPreviousHours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 168,
        default: 24,
        description: 'How long the secret before signs beside the new one',
      }),
    ),
  },
  { additionalProperties: false, description: 'A new secret' },
)
export const ReplayBody = Type.Object(
  {
    msgKey: Type.Optional(Type.String({ maxLength: 100, description: 'The reports of one message' })),
    failedSince: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'What failed since this time and is not acknowledged yet: ISO 8601 with an offset',
      }),
    ),
    allSince: Type.Optional(
      Type.String({ maxLength: 40, description: 'All reports since this time: ISO 8601 with an offset' }),
    ),
  },
  { additionalProperties: false, description: 'Exactly one of the three' },
)

export const WebhookFields = {
  webhookId: Type.String({ description: 'Its id' }),
  ...settings,
  disabledReason: Type.String({
    description:
      'Why it is disabled: owner (by PUT), gone (it answered 410), failing (nothing but failures for too long); else empty',
  }),
  disabledTime: optionalTime('When it was disabled'),
  failingSince: optionalTime('Since when every push has failed'),
  previousSecretUntil: optionalTime('Until when the secret before signs too'),
  behind: Type.Integer({ description: 'Reports that were not pushed yet' }),
  retrying: Type.Integer({ description: 'Pushes that failed and are tried again; counted up to 10000' }),
  givenUp: Type.Integer({
    description: 'Pushes whose tries are used up, of the last 3 days; counted up to 10000',
  }),
  created: time('When it was made'),
}
const shownSecret = Type.String({ description: 'What signs from now on; it is not shown again' })

export const WebhookItem = Type.Object(WebhookFields, {
  additionalProperties: false,
  description: 'A webhook and how it is doing',
})
export const WebhookAnswer = answerWith(WebhookFields, 'The webhook')
export const CreatedAnswer = answerWith(
  { ...WebhookFields, secret: shownSecret },
  'The webhook and its secret',
)
export const ListAnswer = answerWith(
  {
    webhook: Type.Array(WebhookItem, {
      description: `The account's webhooks, at most ${webhooksPerAccount}`,
    }),
  },
  'All webhooks',
)
export const RotatedAnswer = answerWith(
  { secret: shownSecret, previousSecretUntil: optionalTime('Until when the secret before signs too') },
  'The new secret',
)

const tryFields = {
  time: Type.String({ description: "When it ended: yyyy-MM-dd'T'HH:mm:ss.SSSXXX" }),
  eventId: Type.String({ description: 'Its webhook-id: the msgKey and the step, or that of a notice' }),
  httpStatus: Type.Integer({ description: 'What was answered; 0 when nothing was' }),
  ms: Type.Integer({ description: 'How long it took, in milliseconds' }),
  error: Type.String({ description: 'What went wrong; empty when it was acknowledged' }),
}
const { time: tryTime, eventId, httpStatus, error, ms } = tryFields
export const TryItem = Type.Object(tryFields, { additionalProperties: false, description: 'One push' })
export const FailedItem = Type.Object(
  {
    eventId,
    failedTime: Type.String({ description: "When it was tried last: yyyy-MM-dd'T'HH:mm:ss.SSSXXX" }),
    tries: Type.Integer({ description: 'How often it was tried' }),
    retryTime: Type.String({ description: 'When it is tried again; empty when it is given up' }),
    httpStatus,
    error,
  },
  { additionalProperties: false, description: 'A push that is not acknowledged yet' },
)
export const DeliveriesAnswer = answerWith(
  {
    tries: Type.Array(TryItem, { description: 'The last 50 pushes, the newest first' }),
    failed: Type.Array(FailedItem, {
      description: 'The last 100 that are not acknowledged yet, the newest first',
    }),
  },
  'What became of the last pushes',
)
export const TestAnswer = answerWith(
  {
    acknowledged: Type.Boolean({ description: 'Whether a report would count as delivered' }),
    ...{ eventId, time: tryTime, httpStatus, ms, error },
  },
  'What became of the test',
)
export const ReplayAnswer = answerWith(
  {
    reports: Type.Integer({
      description: 'How many are pushed again; receivers know them by their webhook-id',
    }),
  },
  'The replay',
)
