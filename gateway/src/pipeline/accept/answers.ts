/** The answers of sends. Success means accepted, not delivered: the reports give the outcome of each msgKey. */
import { Type } from 'typebox'
import { answerWith, codeField, resultCode, resultField } from '../../contract/answer.ts'

const refField = Type.Optional(
  Type.String({ description: 'ref of the request; absent when the request has none' }),
)

export const SendAnswer = Type.Object(
  {
    code: codeField,
    result: resultField,
    msgKey: Type.String({ description: 'Key of the message; its reports carry it' }),
    ref: refField,
  },
  { additionalProperties: false },
)

export const DestinationAnswer = Type.Object(
  {
    to: Type.String({ description: 'Recipient as the request gave it' }),
    msgKey: Type.String({ description: 'Key of the message; empty when this destination was rejected' }),
    code: resultCode('Result of this destination; A000 when it was accepted'),
    result: Type.String({ description: 'Description of the result' }),
  },
  { additionalProperties: false, description: 'Result of one destination' },
)

export const OmniAnswer = Type.Object(
  {
    ...answerWith(
      { destinations: Type.Array(DestinationAnswer, { description: 'In the order of the request' }) },
      'Result of each destination',
    ).properties,
    ref: refField,
  },
  { additionalProperties: false },
)
