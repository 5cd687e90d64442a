/**
 * The envelope of every answer. Each endpoint builds the schema of its answer from these fields. The server serializes
 * answers by the schema, so an undescribed field is never sent, and the reference is made from the same objects.
 */
import { Type, type TProperties } from 'typebox'
import type { ResultCode } from './result-codes.ts'

/** A string in the schema; a `ResultCode` in the types. */
export const resultCode = (description: string) => Type.Unsafe<ResultCode>(Type.String({ description }))

export const codeField = resultCode('Result code; A000 is success')
export const resultField = Type.String({
  description: 'Description of the result; names a wrong field by its path',
})

/** A time in a response: RFC 3339 with seconds or milliseconds, in the time zone of the service. */
export const timeField = (description: string) => Type.String({ format: 'date-time', description })

/** An answer without data: a deletion, an acknowledgement. */
export const PlainAnswer = Type.Object(
  { code: codeField, result: resultField },
  { additionalProperties: false, description: 'Result code and description' },
)

export const ErrorAnswer = Type.Object(
  {
    ...PlainAnswer.properties,
    field: Type.Optional(
      Type.String({
        description:
          'Path of the wrong field or parameter, such as destinations[0].to; absent when the error concerns none, and for accounts with plain report keys',
      }),
    ),
  },
  { additionalProperties: false, description: 'Result code, description, and the wrong field' },
)

/** An answer with these fields in `data`. */
export const answerWith = <Fields extends TProperties>(fields: Fields, description: string) =>
  Type.Object(
    {
      code: codeField,
      result: resultField,
      data: Type.Object(fields, { additionalProperties: false, description }),
    },
    { additionalProperties: false },
  )
