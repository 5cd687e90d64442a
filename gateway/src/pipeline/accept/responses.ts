/**
 * Responses of sends and dry runs. The success of a send means accepted, not delivered: the reports of a
 * msgKey state the outcome. The response of a dry run is not part of the contract, so fields may be JSON numbers.
 */
import { Type, type Static } from 'typebox'
import type { Acceptance } from '../../contract/acceptance.ts'
import { responseSchema, codeField, resultCode, resultField } from '../../contract/response.ts'

const closed = { additionalProperties: false } as const
const refField = Type.Optional(
  Type.String({ description: 'ref of the request; absent when the request has none' }),
)

export const SendResponse = Type.Object(
  {
    code: codeField,
    result: resultField,
    msgKey: Type.String({ description: 'Key of the message; its reports carry it' }),
    ref: refField,
  },
  closed,
)

export const DestinationResponse = Type.Object(
  {
    to: Type.String({ description: 'Recipient as the request gave it' }),
    msgKey: Type.String({ description: 'Key of the message; empty unless code is A000' }),
    code: resultCode('Result of this destination; A000 when it was accepted'),
    result: Type.String({ description: 'Description of the result' }),
    acceptance: Type.Optional(
      Type.Enum(['no', 'perhaps'] satisfies Acceptance[], {
        description:
          'Whether a destination whose code is not A000 may have been accepted; omitted for A000; only for accounts with full report keys',
      }),
    ),
  },
  { ...closed, description: 'Result of one destination' },
)
export type DestinationResponse = Static<typeof DestinationResponse>

export const OmniSendResponse = Type.Object(
  {
    ...responseSchema(
      { destinations: Type.Array(DestinationResponse, { description: 'In the order of the request' }) },
      'Result of each destination',
    ).properties,
    ref: refField,
  },
  closed,
)

const orNull = <T extends Type.TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })

export const DryRunProblem = Type.Object(
  {
    code: resultCode('Result code of the problem'),
    field: Type.String({ description: 'Path of the field; empty when it is the request as a whole' }),
    reason: Type.String({ description: 'What is wrong with it' }),
  },
  { ...closed, description: 'A problem' },
)

export const DryRunStep = Type.Object(
  {
    step: Type.Integer({ description: 'Position in the flow, from 1; the fallback of a simple send is 2' }),
    channel: Type.String({ description: 'Channel of the step' }),
    msgType: Type.String({ description: 'Message type, as reports will name it' }),
    hasRoute: orNull(
      Type.Boolean(),
      'Whether a route serves the step for this account and recipient; null when that is not known now',
    ),
    text: Type.String({
      description:
        'Text as it would be sent, with plain equivalents of characters that carriers cannot encode; of RCS the texts of all cards',
    }),
    encoding: orNull(Type.String(), 'gsm7, ucs2 or cp949; null if the carrier decides'),
    bytes: orNull(Type.Integer(), 'Bytes of the text; null if the channel does not count bytes'),
    characters: Type.Integer({ description: 'Characters of the text, in UTF-16 units, as it would be sent' }),
    parts: Type.Integer({ description: 'Parts that would be sent and billed' }),
    deadlineSeconds: Type.Integer({ description: 'Seconds after which the step counts as failed' }),
  },
  { ...closed, description: 'A step as it would be sent' },
)

export const DryRunEffect = Type.Object(
  {
    rule: Type.String({ description: 'Trust rule, as named in docs/reference/rules.md' }),
    effect: Type.Enum(['held', 'delayed', 'skipped'], {
      description:
        'held: the message waits until an operator decides. delayed: the step waits until notBefore. skipped: the step ends without being sent, and the next one starts immediately',
    }),
    step: orNull(Type.Integer(), 'Position in the flow, from 1; null for the whole message'),
    notBefore: orNull(
      Type.String({ format: 'date-time' }),
      'When a delayed step may be sent; null for other effects',
    ),
    reason: Type.String({ description: 'What the rule demands' }),
  },
  { ...closed, description: 'What a rule will do with the accepted message' },
)

export const DryRunDestination = Type.Object(
  {
    to: Type.String({
      description: 'Recipient; a Korean number of an international send in its domestic form',
    }),
    code: resultCode('A000 when this destination would be accepted, else its first problem'),
    result: Type.String({ description: 'Description of the result' }),
    steps: Type.Array(DryRunStep, { description: 'Steps in order, without steps whose content is invalid' }),
    ruleEffects: Type.Array(DryRunEffect, {
      description:
        'What rules will hold, delay or skip, as far as known now; empty when the message would be sent unchanged, or not accepted',
    }),
    problems: Type.Array(DryRunProblem, { description: 'All problems of this destination' }),
  },
  { ...closed, description: 'Result of one destination' },
)

export const DryRunResponse = responseSchema(
  {
    destinations: Type.Array(DryRunDestination, { description: 'In the order of the request' }),
    problems: Type.Array(DryRunProblem, { description: 'Problems of the request as a whole' }),
    omittedProblems: Type.Integer({ description: 'Number of problems that are not listed' }),
  },
  'What a send of this request would do',
)
export type DryRunResponse = Static<typeof DryRunResponse>
