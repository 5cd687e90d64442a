/** Field schemas that several channels share. */
import { Type } from 'typebox'

export const refField = Type.Optional(
  Type.String({ maxLength: 200, description: 'Reference field, given back in reports' }),
)

export const originCidField = Type.Optional(
  Type.String({
    pattern: '^\\d{9}$',
    description: 'Registration number of the first sending business, 9 digits',
  }),
)

export const numberField = (description: string) => Type.String({ minLength: 1, maxLength: 20, description })

export const textField = (description: string, maxLength: number) =>
  Type.String({ minLength: 1, maxLength, description })
