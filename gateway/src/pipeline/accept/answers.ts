/** What sends answer. Success means accepted, not delivered: the reports tell what became of each msgKey. */
import { Type } from 'typebox'
import { answerWith, codeField, resultCode, resultField } from '../../contract/answer.ts'

const refField = Type.Optional(Type.String({ description: 'ref of the request; absent when it had none' }))

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
    msgKey: Type.String({ description: 'Key of the message; empty when this destination was refused' }),
    code: resultCode('Result of this destination; A000 when it was accepted'),
    result: Type.String({ description: 'What the code means here' }),
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
