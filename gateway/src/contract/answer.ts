/**
 * The envelope of every answer. Each endpoint builds its answer's schema from these fields; the server writes answers
 * by them, so a field that is not described is never sent, and the reference is made from the same objects.
 */
import { Type, type TProperties } from 'typebox'
import type { ResultCode } from './result-codes.ts'

/** A string in the schema; a `ResultCode` in the types. */
export const resultCode = (description: string) => Type.Unsafe<ResultCode>(Type.String({ description }))

export const codeField = resultCode('Result code; A000 is success')
export const resultField = Type.String({
  description: 'What the code means here; a wrong field is named by its path',
})

/** The answer that has nothing more to say: a deletion, an acknowledgement, any error. */
export const PlainAnswer = Type.Object(
  { code: codeField, result: resultField },
  { additionalProperties: false, description: 'Result code and description' },
)

/** `data` of an answer. */
export const answerWith = <Fields extends TProperties>(fields: Fields, description: string) =>
  Type.Object(
    {
      code: codeField,
      result: resultField,
      data: Type.Object(fields, { additionalProperties: false, description }),
    },
    { additionalProperties: false },
  )
