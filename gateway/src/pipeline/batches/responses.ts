/** Requests and responses of batches. They are not part of the contract, so counts are JSON numbers. */
import { Type, type Static } from 'typebox'
import { responseSchema, timeField } from '../../contract/response.ts'
import type { FormatTime } from '../../contract/times.ts'
import { countWaitingLines, type BatchView } from '../../records/batches/views.ts'
import { batchTransitions, type BatchState } from '../../records/batches/transitions.ts'
import { OmniBody } from '../accept/omni.ts'
import { BatchRecipient } from './upload.ts'

export const batchStates = Object.keys(batchTransitions) as readonly BatchState[]
export const maxInlineRecipients = 1_000
export const maxSpeed = 10_000
export const maxDaysAhead = 60

const closed = { additionalProperties: false } as const
const timeOfDay = (description: string) =>
  Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description })

export const BatchHours = Type.Object(
  {
    from: timeOfDay('First minute, such as 09:00, in the time zone of the service'),
    to: timeOfDay('Minute before which the last message is created, such as 20:00'),
  },
  { ...closed, description: 'Hours of the day in which messages are created' },
)
const speedField = Type.Integer({
  minimum: 1,
  maximum: maxSpeed,
  description: 'Messages per second; by default as fast as the routes send them',
})
const duplicatesField = (description: string) => Type.Enum(['drop', 'keep'], { description })

export const BatchBody = Type.Object(
  {
    ref: OmniBody.properties.ref,
    messageFlow: OmniBody.properties.messageFlow,
    messageForm: OmniBody.properties.messageForm,
    paymentCode: OmniBody.properties.paymentCode,
    startAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description: `Time before which no message is created, at most ${maxDaysAhead} days ahead`,
      }),
    ),
    endBy: Type.Optional(
      Type.String({ format: 'date-time', description: 'Time after which the remaining lines are cancelled' }),
    ),
    speed: Type.Optional(speedField),
    hours: Type.Optional(BatchHours),
    duplicates: Type.Optional(
      duplicatesField('drop: only the first line of each recipient is sent; the default'),
    ),
    recipients: Type.Optional(
      Type.Array(BatchRecipient, {
        minItems: 1,
        maxItems: maxInlineRecipients,
        description: `Part 1 of the recipients, at most ${maxInlineRecipients}`,
      }),
    ),
    start: Type.Optional(
      Type.Boolean({ description: 'true: the batch is checked and started; requires recipients' }),
    ),
  },
  closed,
)

const codeCounts = (description: string) => Type.Record(Type.String(), Type.Integer(), { description })

export const BatchCounts = Type.Object(
  {
    lines: Type.Integer({ description: 'Uploaded lines: the sum of the next five' }),
    waiting: Type.Integer({ description: 'Lines without a result yet' }),
    duplicate: Type.Integer({ description: 'Lines whose recipient an earlier line has' }),
    refused: Type.Integer({ description: 'Lines that a send would refuse' }),
    cancelled: Type.Integer({
      description: 'Lines without a message, because the batch was cancelled or endBy has passed',
    }),
    messages: Type.Integer({ description: 'Lines with a message: open ones and those with an outcome' }),
    open: Type.Integer({ description: 'Messages without an outcome yet' }),
  },
  {
    ...closed,
    description: 'Every line is in exactly one of waiting, duplicate, refused, cancelled and messages',
  },
)

export const Batch = Type.Object(
  {
    batchId: Type.String({ description: 'Id of the batch' }),
    ref: Type.Optional(Type.String({ description: 'ref of the request; absent when it had none' })),
    state: Type.Enum([...batchStates], {
      description:
        'open: accepts recipients. checking: every line is checked. ready: checked and not started. running: messages are created, or wait for their time or their reports. paused, cancelled: no further message is submitted. ended: every line has its result',
    }),
    createdAt: timeField('When it was created'),
    startAt: Type.Optional(timeField('startAt of the request')),
    endBy: Type.Optional(timeField('endBy of the request')),
    speed: Type.Optional(speedField),
    hours: Type.Optional(BatchHours),
    duplicates: duplicatesField('drop: only the first line of each recipient is sent'),
    counts: BatchCounts,
    codes: codeCounts('Refused lines by result code'),
    outcomes: codeCounts('Closed messages by the report code of their last report'),
  },
  { ...closed, description: 'A batch' },
)

export const BatchResponse = responseSchema(Batch.properties, 'A batch')
export const BatchListResponse = responseSchema(
  {
    batches: Type.Array(Batch, { description: 'Batches, newest first' }),
    next: Type.Optional(
      Type.String({ description: 'There are more: the value of `after` for the request that returns them' }),
    ),
  },
  'A page of batches',
)
export const BatchPartResponse = responseSchema(
  {
    batchId: Type.String({ description: 'Id of the batch' }),
    part: Type.Integer({ description: 'Number of the part' }),
    lines: Type.Integer({ description: 'Recipients in the part' }),
  },
  'The stored part',
)
export const CancelBody = Type.Object(
  {
    ref: Type.String({ minLength: 1, maxLength: 200, description: 'The whole `ref`' }),
    dryRun: Type.Optional(Type.Boolean({ description: 'true: nothing is cancelled, only counted' })),
  },
  { ...closed, description: 'The reference of the batches and scheduled messages to cancel' },
)
export const CancelResponse = responseSchema(
  {
    batches: Type.Integer({ description: 'Batches with the ref that had not ended' }),
    messages: Type.Integer({ description: 'Scheduled messages with the ref that belong to no batch' }),
  },
  'The numbers of cancelled batches and messages',
)

export function describeBatch(view: BatchView, formatTime: FormatTime): Static<typeof Batch> {
  const { ref, startAt, endBy, speed, hoursFrom, hoursTo, lines, refused, cancelled, messages } = view
  const closedMessages = Object.values(view.outcomes).reduce((sum, count) => sum + count, 0)
  return {
    batchId: view.batchKey,
    ...(ref !== null && { ref }),
    state: view.state,
    createdAt: formatTime(view.createdAt),
    ...(startAt !== null && { startAt: formatTime(startAt) }),
    ...(endBy !== null && { endBy: formatTime(endBy) }),
    ...(speed !== null && { speed }),
    ...(hoursFrom !== null &&
      hoursTo !== null && { hours: { from: hoursFrom.slice(0, 5), to: hoursTo.slice(0, 5) } }),
    duplicates: view.dropDuplicates ? 'drop' : 'keep',
    counts: {
      lines,
      waiting: countWaitingLines(view),
      duplicate: view.duplicates,
      refused,
      cancelled,
      messages,
      open: messages - closedMessages,
    },
    codes: view.codes,
    outcomes: view.outcomes,
  }
}
