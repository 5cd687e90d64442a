/**
 * Schemas of the webhook endpoints' request and response bodies, and functions that fill the responses. A
 * secret is shown only when it is created or replaced.
 */
import { Type } from 'typebox'
import { responseSchema, timeField } from '../../contract/response.ts'
import type { FormatTime } from '../../contract/times.ts'
import { maxCounted, type DeliveryFailureView, type WebhookView } from './queries.ts'
import type { PushAttempt } from './push/attempt-log.ts'
import { acknowledgements, webhookDefaults, webhookEvents, webhooksPerAccount } from './webhook.ts'
import { clock } from '../../platform/time/clock.ts'

const optionalTime = (description: string) =>
  Type.String({ description: `${description}; empty when it does not apply` })

/** Returns the default of a setting, or nothing. */
type Default = <Value>(value: Value) => { default?: Value }

const describeSettings = (withDefault: Default) => {
  const ranged = (minimum: number, maximum: number, value: number, description: string) =>
    Type.Integer({ minimum, maximum, ...withDefault(value), description })
  return {
    url: Type.String({
      minLength: 1,
      maxLength: 2000,
      description:
        'Public https URL that receives the reports by POST; http only where the operator allows it',
    }),
    name: Type.String({ maxLength: 100, ...withDefault(''), description: 'A name of your choice' }),
    perSecond: ranged(1, 1000, webhookDefaults.perSecond, 'Maximum number of pushes per second'),
    concurrency: ranged(1, 100, webhookDefaults.concurrency, 'Maximum number of concurrent pushes'),
    timeoutSeconds: ranged(1, 30, webhookDefaults.timeoutSeconds, 'Seconds to wait for a response'),
    acknowledgement: Type.Enum(acknowledgements, {
      ...withDefault(webhookDefaults.acknowledgement),
      description:
        'status: any 2xx acknowledges a push. msgKey: only 200 with {"msgKey":"<same>"} acknowledges a report, and {"replyId":"<same>"} a reply.',
    }),
    notices: Type.Boolean({
      ...withDefault(webhookDefaults.notices),
      description: 'Whether it receives a notice when another webhook of the account is disabled',
    }),
    enabled: Type.Boolean({
      ...withDefault(true),
      description:
        'Whether reports are pushed. A webhook that is enabled again continues where it stopped, up to 3 days back.',
    }),
  }
}
const describeEvents = (withDefault: Default) =>
  Type.Enum(webhookEvents, {
    ...withDefault('reports'),
    description: 'What it receives: reports, or replies of recipients. It cannot be changed.',
  })
const applyDefault: Default = (value) => ({ default: value })
/** Omits the default in changes, which keep omitted fields, and in responses, which omit none. */
const omitDefault: Default = () => ({})
const { url, ...others } = describeSettings(applyDefault)
const settings = describeSettings(omitDefault)
const secret = Type.String({
  maxLength: 100,
  description: 'Signing secret: whsec_ followed by 24 to 64 bytes in base64. Generated when omitted.',
})

export const CreateBody = Type.Object(
  {
    url,
    ...Type.Partial(Type.Object(others)).properties,
    events: Type.Optional(describeEvents(applyDefault)),
    secret: Type.Optional(secret),
  },
  { additionalProperties: false, description: 'A webhook' },
)
export const ChangeBody = Type.Partial(Type.Object(settings), {
  additionalProperties: false,
  description: 'Settings to change; omitted ones keep their value',
})
export const RotateBody = Type.Object(
  {
    secret: Type.Optional(secret),
    keepPreviousHours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 168,
        default: 24,
        description: 'Hours during which the previous secret signs as well',
      }),
    ),
  },
  { additionalProperties: false, description: 'A new secret' },
)
export const ReplayBody = Type.Object(
  {
    msgKey: Type.Optional(
      Type.String({ maxLength: 100, description: 'The reports of one message, or a reply by its replyId' }),
    ),
    failedSince: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'Pushes that failed since this time and are not acknowledged: ISO 8601 with an offset',
      }),
    ),
    allSince: Type.Optional(
      Type.String({ maxLength: 40, description: 'All reports since this time: ISO 8601 with an offset' }),
    ),
  },
  { additionalProperties: false, description: 'Exactly one of the three fields' },
)

export const WebhookFields = {
  webhookId: Type.String({ description: 'Id of the webhook' }),
  ...settings,
  events: describeEvents(omitDefault),
  disabledReason: Type.String({
    description:
      'Why it is disabled: owner (by PUT), gone (the URL answered 410), failing (every push failed for too long), unproved (enable it by PUT when its receiver has the secret); empty when enabled',
  }),
  disabledTime: optionalTime('When it was disabled'),
  failingSince: optionalTime('Since when every push has failed'),
  previousSecretUntil: optionalTime('Until when the previous secret signs as well'),
  behind: Type.Integer({ description: 'Reports, or replies, that have not been pushed yet' }),
  retrying: Type.Integer({
    description: `Pushes that failed and will be retried; counted up to ${maxCounted}`,
  }),
  givenUp: Type.Integer({ description: `Abandoned pushes of the last 3 days; counted up to ${maxCounted}` }),
  created: timeField('When it was created'),
}
const shownSecret = Type.String({ description: 'The secret that signs from now on; it is not shown again' })

export const WebhookItem = Type.Object(WebhookFields, {
  additionalProperties: false,
  description: 'A webhook and its current state',
})
export const WebhookResponse = responseSchema(WebhookFields, 'The webhook')
export const CreatedWebhookResponse = responseSchema(
  { ...WebhookFields, secret: shownSecret },
  'The webhook and its secret',
)
export const WebhookListResponse = responseSchema(
  {
    webhook: Type.Array(WebhookItem, {
      description: `The account's webhooks, at most ${webhooksPerAccount}`,
    }),
  },
  'All webhooks',
)
export const RotatedSecretResponse = responseSchema(
  { secret: shownSecret, previousSecretUntil: timeField('Until when the previous secret signs as well') },
  'The new secret',
)

const tryFields = {
  time: timeField('When the push ended; to the minute when there was no response'),
  eventId: Type.String({
    description: 'The webhook-id header of the push: msgKey and step, the id of a reply, or that of a notice',
  }),
  httpStatus: Type.Integer({ description: 'HTTP status of the response; 0 when there was none' }),
  ms: Type.Integer({ description: 'Duration in milliseconds; the time-out when there was no response' }),
  error: Type.String({ description: 'Why the push failed; empty when it was acknowledged' }),
}
const { time: tryTime, eventId, httpStatus, error, ms } = tryFields
export const AttemptItem = Type.Object(tryFields, { additionalProperties: false, description: 'One push' })
export const FailedItem = Type.Object(
  {
    eventId,
    failedTime: timeField('Time of the last attempt'),
    tries: Type.Integer({ description: 'Number of attempts so far' }),
    retryTime: Type.String({ description: 'Time of the next attempt; empty when the push was abandoned' }),
    httpStatus,
    error,
  },
  { additionalProperties: false, description: 'A push that is not acknowledged' },
)
export const DeliveriesResponse = responseSchema(
  {
    tries: Type.Array(AttemptItem, { description: 'The last 50 pushes, newest first' }),
    failed: Type.Array(FailedItem, {
      description: 'The last 100 pushes that are not acknowledged, newest first',
    }),
  },
  'Results of the last pushes',
)
export const WebhookTestResponse = responseSchema(
  {
    acknowledged: Type.Boolean({ description: 'Whether the response would acknowledge a report' }),
    eventId,
    time: tryTime,
    httpStatus,
    ms,
    error,
  },
  'Result of the test',
)
export const ReplayResponse = responseSchema(
  {
    reports: Type.Integer({
      description: 'Number of reports that are pushed again, each with its earlier webhook-id',
    }),
  },
  'The replay',
)

/** Shown fields of a webhook, without its secret. */
export type WebhookFieldValues = Pick<
  WebhookView,
  | ('id' | 'url' | 'name' | 'perSecond' | 'concurrency' | 'timeoutSeconds' | 'acknowledgement' | 'notices')
  | ('enabled' | 'events' | 'disabledReason' | 'disabledAt' | 'failingSince' | 'previousUntil')
  | ('behind' | 'retrying' | 'givenUp' | 'createdAt')
>

export function showWebhook(webhook: WebhookFieldValues, formatTime: FormatTime) {
  const { url, name, perSecond, concurrency, timeoutSeconds, acknowledgement, notices, enabled } = webhook
  const timeOr = (time: Date | null): string => (time === null ? '' : formatTime(time))
  const { previousUntil, behind, retrying, givenUp } = webhook
  return {
    webhookId: webhook.id,
    url,
    name,
    perSecond,
    concurrency,
    timeoutSeconds,
    acknowledgement,
    notices,
    enabled,
    events: webhook.events,
    disabledReason: webhook.disabledReason ?? '',
    disabledTime: timeOr(webhook.disabledAt),
    failingSince: timeOr(webhook.failingSince),
    previousSecretUntil: timeOr(
      previousUntil !== null && !clock.hasPassed(previousUntil) ? previousUntil : null,
    ),
    behind,
    retrying,
    givenUp,
    created: formatTime(webhook.createdAt),
  }
}

export function showAttempt(
  { at, eventId, httpStatus, ms, error }: PushAttempt,
  formatPreciseTime: FormatTime,
) {
  return { time: formatPreciseTime(new Date(at)), eventId, httpStatus: httpStatus ?? 0, ms, error }
}

export function showFailure(failure: DeliveryFailureView, formatPreciseTime: FormatTime) {
  const { eventId, tries, retryAt, failedAt, httpStatus, error } = failure
  return {
    eventId,
    failedTime: formatPreciseTime(failedAt),
    tries,
    retryTime: retryAt === null ? '' : formatPreciseTime(retryAt),
    httpStatus: httpStatus ?? 0,
    error,
  }
}
