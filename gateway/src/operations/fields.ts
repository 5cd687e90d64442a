import { Type, type TProperties, type TSchema } from 'typebox'
import { nonPrintable } from '../platform/logging/printable-text.ts'

/** A `Date` in code, ISO 8601 in responses. */
export const time = (description: string) =>
  Type.Unsafe<Date | string>(Type.String({ format: 'date-time', description }))

export const text = (description: string, options: object = {}) => Type.String({ description, ...options })
/** Printable text, for lists and the audit log. */
export const shownText = (description: string, options: object = {}) =>
  text(description, { pattern: `^[^${nonPrintable}]*$`, ...options })
/** Like `shownText`, with at least one non-blank character. */
export const shownPattern = `^(?!\\s*$)[^${nonPrintable}]*$`
export const flag = (description: string) => Type.Boolean({ description })
export const whole = (description: string, options: object = {}) => Type.Integer({ description, ...options })
/** A row number: a bigint in PostgreSQL that fits a JavaScript number. */
export const rowNumber = (description: string, minimum: 0 | 1 = 1) =>
  Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER, description })
export const number = (description: string) => Type.Number({ description })
export const list = <Item extends TSchema>(item: Item, description: string) =>
  Type.Array(item, { description })
/**
 * An object schema. A `title` makes it a named schema of the OpenAPI document, with a type in generated code.
 */
export const record = <Fields extends TProperties>(
  fields: Fields,
  description: string,
  options: { readonly title?: string } = {},
) => Type.Object(fields, { additionalProperties: false, description, ...options })
export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
export const oneOf = <const Values extends readonly string[]>(values: Values, description: string) =>
  Type.Unsafe<Values[number]>(Type.String({ enum: [...values], description }))

/**
 * Marks a field that is omitted from responses to clients, such as who operates the installation. It is
 * optional in the document, and present in everything that an operation returns.
 */
export const internal = <Schema extends TSchema>(schema: Schema): Schema =>
  Object.assign(Type.Optional(schema), { 'x-internal': true as const })

export const clientId = Type.String({ minLength: 1, maxLength: 200, description: 'Client ID of the account' })

export const maxPage = 200
export const pageQuery = {
  limit: Type.Integer({ minimum: 1, maximum: maxPage, default: 50, description: 'Maximum number of items' }),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'The `next` of the previous page; requires the same filters',
    }),
  ),
}

/**
 * A page of a list, without total and offset, because no index can provide them. A page of `Account` has the
 * title `AccountPage`.
 */
export const page = <Item extends TSchema>(item: Item, description: string) => {
  const { title } = item as { readonly title?: string }
  return record(
    { items: list(item, description), next: nullable(text('Cursor of the next page; null on the last one')) },
    'A page of the list',
    title === undefined ? {} : { title: `${title}Page` },
  )
}
