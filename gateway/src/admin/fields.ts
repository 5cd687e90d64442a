/** Schemas that the operations of the admin API share. Pure. */
import { Type, type TProperties, type TSchema } from 'typebox'
import { unshown } from '../platform/shown-text.ts'

/** A `Date` in the code, ISO 8601 in the answer. */
export const time = (description: string) =>
  Type.Unsafe<Date | string>(Type.String({ format: 'date-time', description }))

export const text = (description: string, options: object = {}) => Type.String({ description, ...options })
/** Text that people read in lists and in the audit log. */
export const shownText = (description: string, options: object = {}) =>
  text(description, { pattern: `^[^${unshown}]*$`, ...options })
/** As `shownText`, with one character at least that is not blank. */
export const shownPattern = `^(?!\\s*$)[^${unshown}]*$`
export const flag = (description: string) => Type.Boolean({ description })
export const whole = (description: string, options: object = {}) => Type.Integer({ description, ...options })
/** Number of a row: what PostgreSQL stores as a bigint and the code reads as a number without rounding it. */
export const rowNumber = (description: string, minimum: 0 | 1 = 1) =>
  Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER, description })
export const number = (description: string) => Type.Number({ description })
export const list = <Item extends TSchema>(item: Item, description: string) =>
  Type.Array(item, { description })
/** With a `title`, the OpenAPI document describes the object once under that name, and generated code has a type for it. */
export const record = <Fields extends TProperties>(
  fields: Fields,
  description: string,
  options: { readonly title?: string } = {},
) => Type.Object(fields, { additionalProperties: false, description, ...options })
export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
export const oneOf = <const Values extends readonly string[]>(values: Values, description: string) =>
  Type.Unsafe<Values[number]>(Type.String({ enum: [...values], description }))

/**
 * A field that is left out of answers to clients: how the installation works, and who operates it. It is optional in the document, and
 * present in everything that an operation returns.
 */
export const internal = <Schema extends TSchema>(schema: Schema): Schema =>
  Object.assign(Type.Optional(schema), { 'x-internal': true as const })

export const clientId = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Client id of the account',
})

export const maxPage = 200
export const pageQuery = {
  limit: Type.Integer({
    minimum: 1,
    maximum: maxPage,
    default: 50,
    description: 'How many to return at most',
  }),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'The `next` of the previous page, with the same filters',
    }),
  ),
}

/** A page of a list: no total and no offset, because neither can be answered from an index. A page of `Account` has the title `AccountPage`. */
export const page = <Item extends TSchema>(item: Item, description: string) => {
  const { title } = item as { readonly title?: string }
  return record(
    {
      items: list(item, description),
      next: nullable(text('Cursor of the next page; null on the last one')),
    },
    'A page of the list',
    title === undefined ? {} : { title: `${title}Page` },
  )
}
