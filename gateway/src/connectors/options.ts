/**
 * The options of a kind of connector: fields that most kinds have, and the check that every kind uses. An error names the
 * field and what it must be, and never its value, which may be a password. Called by the registry.
 */
import type { Static, TObject, TSchema } from 'typebox'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { causes } from '../channels/cause.ts'

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

/** An http or https URL without credentials in it. */
export const url = (description: string) =>
  Type.Refine(
    Type.String({ description, maxLength: 2_048, pattern: '^https?://[^\\s/@?#]+(?:[/?#]\\S*)?$' }),
    (value) => URL.canParse(value),
    () => 'must be an http or https address',
  )

export const pem = (what: string, mark: { readonly secret?: boolean } = {}) =>
  Type.Optional(Type.String({ description: `${what}, PEM.`, minLength: 1, ...mark }))

export const cause = Type.Enum([...causes], {
  description: 'The cause that is reported for it.',
  default: 'refused',
})

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
  const errors: readonly SchemaError[] = Value.Errors(schema, options)
  // A misspelled field first: it often explains the one that is missing.
  const error = errors.find(({ keyword }) => keyword === 'additionalProperties') ?? errors[0]
  throw new Error(
    `${title} options: ${error === undefined ? 'the object is invalid' : explain(schema, error)}`,
  )
}

interface SchemaError {
  readonly instancePath: string
  readonly message: string
  readonly keyword?: string
  readonly params?: object
}

function explain(schema: TSchema, error: SchemaError): string {
  const path = error.instancePath.slice(1).split('/').filter(Boolean)
  const unknown = (error.params as { readonly additionalProperties?: readonly string[] } | undefined)
    ?.additionalProperties?.[0]
  if (unknown !== undefined) {
    const near = nearest(unknown, fieldsAt(schema, path))
    const name = [...path, unknown].join('.')
    return `there is no option ${name}${near === undefined ? '' : `; did you mean ${[...path, near].join('.')}?`}`
  }
  const name = path.join('.')
  return `${name === '' ? 'the object' : name} ${error.message}`
}

/** Names of the fields that the object at the path may have. */
function fieldsAt(schema: TSchema, path: readonly string[]): string[] {
  let at: unknown = schema
  for (const name of path) {
    const { properties, items, patternProperties } = (at ?? {}) as {
      readonly properties?: Readonly<Record<string, unknown>>
      readonly items?: unknown
      readonly patternProperties?: Readonly<Record<string, unknown>>
    }
    at = properties?.[name] ?? items ?? Object.values(patternProperties ?? {})[0]
  }
  return Object.keys((at as { readonly properties?: object } | undefined)?.properties ?? {})
}

/** The name that differs by at most a third of its letters, if any. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  let best: string | undefined
  let least = Infinity
  for (const candidate of names) {
    const steps = distance(name.slice(0, 64).toLowerCase(), candidate.toLowerCase())
    if (steps < least && steps <= Math.max(1, Math.floor(candidate.length / 3))) {
      least = steps
      best = candidate
    }
  }
  return best
}

/** Levenshtein distance. */
function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const next = [i]
    for (let j = 1; j <= right.length; j++) {
      const change = row[j - 1]! + (left[i - 1] === right[j - 1] ? 0 : 1)
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[right.length]!
}
