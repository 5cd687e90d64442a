/**
 * The envelope of every response. Each endpoint builds its response schema from these fields. The server
 * serializes responses by the schema, so an undescribed field is never sent, and the reference is generated
 * from the same objects.
 */
import { Type, type TProperties } from 'typebox'
import type { ResultCode } from './result-codes.ts'

/** A string in the schema and a `ResultCode` in the types. */
export const resultCode = (description: string) => Type.Unsafe<ResultCode>(Type.String({ description }))

export const codeField = resultCode('Result code; A000 is success')
export const resultField = Type.String({
  description: 'Description of the result; names an invalid field by its path',
})

/** A time in a response: RFC 3339 with seconds or milliseconds, in the time zone of the service. */
export const timeField = (description: string) => Type.String({ format: 'date-time', description })

/** A response without data, for example to a deletion or an acknowledgement. */
export const StatusResponse = Type.Object(
  { code: codeField, result: resultField },
  { additionalProperties: false, description: 'Result code and description' },
)

export const ErrorResponseSchema = Type.Object(
  {
    ...StatusResponse.properties,
    field: Type.Optional(
      Type.String({
        description:
          'Path of the invalid field or parameter, such as destinations[0].to; omitted if the error concerns no field; only for accounts with full report keys',
      }),
    ),
  },
  { additionalProperties: false, description: 'Result code, description, and the invalid field' },
)

/** Builds the schema of a response with these fields in `data`. */
export const responseSchema = <Fields extends TProperties>(fields: Fields, description: string) =>
  Type.Object(
    {
      code: codeField,
      result: resultField,
      data: Type.Object(fields, { additionalProperties: false, description }),
    },
    { additionalProperties: false },
  )
