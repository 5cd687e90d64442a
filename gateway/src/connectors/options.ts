/**
 * The options of a kind of connector: fields that most kinds have, and the check that every kind uses. An error names the
 * field and what it must be, and never its value, which may be a password. Called by the registry.
 */
import type { Static, TObject } from 'typebox'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { causes } from '../channels/cause.ts'
import { explainOptionError, type OptionError } from './option-errors.ts'

/** For every object of a schema: unknown fields are refused. */
export const closed = { additionalProperties: false }

export const integer = (description: string, standard: number, minimum: number, maximum: number) =>
  Type.Integer({ description, default: standard, minimum, maximum })

export const milliseconds = (description: string, standard: number, minimum = 1) =>
  integer(description, standard, minimum, 86_400_000)

/** A required text; with a default it may be left out. */
export const text = (description: string, maxLength: number, standard?: string) =>
  Type.String({
    description,
    maxLength,
    ...(standard === undefined ? { minLength: 1 } : { default: standard }),
  })

/** A text that its page marks as a secret and `postern route show` masks. */
export const secret = (description: string, maxLength = 4_096) =>
  Type.String({ description, minLength: 1, maxLength, secret: true })

/** For the name of an account, which some keep with its secret: it may be a reference, too. */
export const referable = { reference: true }

/** The name of an account: a required text; with a default it may be left out. */
export const accountName = (description: string, maxLength: number, standard?: string) =>
  Type.String({ ...text(description, maxLength, standard), ...referable })

/**
 * For every option that says where a link goes or whom it trusts there: when it changes, a stored secret must be given
 * again. `url` and `tls` have it.
 */
export const address = { address: true }
/** For a URL or the name of a host among them: the audit log names the host. `url` has it. */
export const host = { ...address, host: true }

/** An http or https URL without credentials in it. */
export const url = (description: string) =>
  Type.Refine(
    Type.String({
      ...{ description, maxLength: 2_048, pattern: '^https?://[^\\s/@?#]+(?:[/?#]\\S*)?$' },
      ...host,
    }),
    (value) => URL.canParse(value),
    () => 'must be an http or https address',
  )

export const pem = (what: string, mark: { readonly secret?: boolean; readonly address?: boolean } = {}) =>
  Type.Optional(Type.String({ description: `${what}, PEM.`, minLength: 1, ...referable, ...mark }))

/** For connections over https. */
export const tls = Type.Optional(
  Type.Object(
    {
      ca: pem('Certificate authority to trust instead of the default ones', address),
      cert: pem('Client certificate, for carriers that require one'),
      key: pem('Private key of the client certificate', { secret: true }),
    },
    { ...closed, description: 'Certificates; an https address needs none of them.' },
  ),
)

export const cause = Type.Enum([...causes], {
  title: 'a cause',
  description: 'The cause that is reported for it.',
  default: 'refused',
})

/** Country code of numbers in domestic form. Four digits for those that share +1. */
export const countryCode = (description: string) =>
  Type.String({ description, pattern: '^[1-9]\\d{0,3}$', default: '82' })

/** The last part of an address that only the carrier knows. */
export const addressToken = (description: string) =>
  Type.String({ description, pattern: '^[A-Za-z0-9_-]{16,128}$', secret: true })

/** Exceptions of one carrier to the meaning of its codes. */
export const causesByCode = (description: string) =>
  Type.Record(Type.String({ maxLength: 64 }), cause, { description, default: {} })

/** Which routes share their receipts, when it is not the login. */
export const receiptGroup = (standard: string) =>
  Type.Optional(
    Type.String({
      description: `Routes with the same value receive the receipts of each other. Default: ${standard}.`,
      minLength: 1,
      maxLength: 64,
    }),
  )

/** Returns the options with defaults filled in. `title` begins the error text. */
export function parseOptions<Schema extends TObject>(
  title: string,
  schema: Schema,
  input: unknown,
): Static<Schema> {
  const options = Value.Default(schema, structuredClone(input))
  if (Value.Check(schema, options)) return options
  const errors: readonly OptionError[] = Value.Errors(schema, options)
  // A misspelled field first: it often explains the one that is missing.
  const error = errors.find(({ keyword }) => keyword === 'additionalProperties') ?? errors[0]
  throw new Error(
    `${title} options: ${error === undefined ? 'the object is invalid' : explainOptionError(schema, error)}`,
  )
}
