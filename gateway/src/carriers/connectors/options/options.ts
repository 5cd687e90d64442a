/**
 * Common option schemas of connector kinds, and parsing. An error names the field and its constraint, never its value,
 * which can be a password.
 */
import { Type, type Static, type TObject } from 'typebox'
import { Value } from 'typebox/value'
import { causes } from '../../../channels/cause.ts'
import type { OptionSchema } from './option-schema.ts'

/** Rejects unknown fields; used in every object of a schema. */
export const closed = { additionalProperties: false }

export const integer = (description: string, standard: number, minimum: number, maximum: number) =>
  Type.Integer({ description, default: standard, minimum, maximum })

export const milliseconds = (description: string, standard: number, minimum = 1) =>
  integer(description, standard, minimum, 86_400_000)

/** Required unless `standard` is set. */
export const text = (description: string, maxLength: number, standard?: string) =>
  Type.String({
    description,
    maxLength,
    ...(standard === undefined ? { minLength: 1 } : { default: standard }),
  })

/** Output masks the value, and the documentation marks it as secret. */
export const secret = (description: string, maxLength = 4_096) =>
  Type.String({ description, minLength: 1, maxLength, secret: true })

/** Marks an option that can be a reference although it is neither secret nor an address. */
export const referable = { reference: true }

/** Can be a reference, because some operators keep account names with their secrets. */
export const accountName = (description: string, maxLength: number, standard?: string) =>
  Type.String({ ...text(description, maxLength, standard), ...referable })

/**
 * Marks every option that determines where a link connects, or which certificates it trusts. A change requires the
 * operator to enter stored secrets again.
 */
export const address = { address: true }
/** Marks a URL or host name, whose host the audit log names. */
export const host = { ...address, host: true }

/** An http or https URL without credentials. */
export const url = (description: string, standard?: string) =>
  Type.Refine(
    Type.String({
      description,
      maxLength: 2_048,
      ...(standard === undefined ? {} : { default: standard }),
      pattern: '^https?://[^\\s/@?#]+(?:[/?#]\\S*)?$',
      ...host,
    }),
    (value) => URL.canParse(value),
    () => 'must be an http or https URL',
  )

export const pem = (subject: string, mark: { readonly secret?: boolean; readonly address?: boolean } = {}) =>
  Type.Optional(
    Type.String({
      description: `${subject}, PEM.`,
      minLength: 1,
      contentMediaType: 'application/x-pem-file',
      ...referable,
      ...mark,
    }),
  )

/** TLS settings of https connections. */
export const tls = Type.Optional(
  Type.Object(
    {
      ca: pem('Certificate authority to trust instead of the default ones', address),
      cert: pem('Client certificate, for carriers that require one'),
      key: pem('Private key of the client certificate', { secret: true }),
    },
    { ...closed, description: 'TLS certificates. Not needed for most https URLs.' },
  ),
)

export const cause = Type.Enum([...causes], {
  title: 'a cause',
  description: 'The cause reported for the code.',
  default: 'refused',
})

/** Country code of numbers in domestic form. Countries that share +1 have four digits. */
export const countryCode = (description: string) =>
  Type.String({ description, pattern: '^[1-9]\\d{0,3}$', default: '82' })

/** Last segment of a callback URL, known only to the carrier. */
export const addressToken = (description: string) =>
  Type.String({ description, pattern: '^[A-Za-z0-9_-]{16,128}$', secret: true })

/** Overrides of the default causes of a carrier's codes. */
export const causesByCode = (description: string) =>
  Type.Record(Type.String({ maxLength: 64 }), cause, { description, default: {} })

/** Overrides which routes share receipts. By default, routes with the same login do. */
export const receiptGroup = (standard: string) =>
  Type.Optional(
    Type.String({
      description: `Routes with the same value receive each other's receipts. Default: ${standard}.`,
      minLength: 1,
      maxLength: 64,
    }),
  )

/** Thrown for options that do not match their schema. */
export class OptionsError extends Error {
  override readonly name = 'OptionsError'
  /** Path of the invalid option, such as `tls.ca`. */
  readonly path: string

  constructor(message: string, path: string, options?: ErrorOptions) {
    super(message, options)
    this.path = path
  }
}

/** Fills in defaults and validates the options. Errors begin with `title`. */
export function parseOptions<Schema extends TObject>(
  title: string,
  schema: Schema,
  input: unknown,
): Static<Schema> {
  const options = Value.Default(schema, structuredClone(input))
  if (Value.Check(schema, options)) return options
  const errors: readonly OptionError[] = Value.Errors(schema, options)
  // Report a misspelled field first, because it often explains a missing one.
  const error = errors.find(({ keyword }) => keyword === 'additionalProperties') ?? errors[0]
  if (error === undefined) throw new Error(`${title} options: the object is invalid`)
  throw new OptionsError(`${title} options: ${explainOptionError(schema, error)}`, findPath(error).join('.'))
}

interface OptionError {
  readonly instancePath: string
  readonly message: string
  readonly keyword?: string
  readonly params?: object
}

interface OptionErrorParams {
  readonly additionalProperties?: readonly string[]
  readonly requiredProperties?: readonly string[]
  readonly allowedValues?: readonly unknown[]
  readonly allowedValue?: unknown
  readonly pattern?: string
  readonly limit?: number
}

/** Returns the path of the invalid, missing or unknown option. */
function findPath({ instancePath, params }: OptionError): string[] {
  const { requiredProperties = [], additionalProperties = [] } = (params ?? {}) as OptionErrorParams
  const within = [...additionalProperties, ...requiredProperties].slice(0, 1)
  return [...splitPath(instancePath), ...within]
}

const splitPath = (pointer: string): string[] => pointer.slice(1).split('/').filter(Boolean)

function explainOptionError(schema: OptionSchema, error: OptionError): string {
  const path = splitPath(error.instancePath)
  const params = (error.params ?? {}) as OptionErrorParams
  const [unknown] = params.additionalProperties ?? []
  if (unknown !== undefined) {
    const prefix = path.map((name) => `${name}.`).join('')
    const suggestion = didYouMean(unknown, listFieldNames(schema, path), prefix)
    return `unknown option ${prefix}${unknown}${suggestion}`
  }
  const [missing] = params.requiredProperties ?? []
  if (missing !== undefined) return `${[...path, missing].join('.')} is required`
  return `${path.length === 0 ? 'the object' : path.join('.')} ${describeRequirement(error, params)}`
}

function describeRequirement({ keyword, message }: OptionError, params: OptionErrorParams): string {
  switch (keyword) {
    case 'enum':
      return `must be one of ${(params.allowedValues ?? []).map((value) => JSON.stringify(value)).join(', ')}`
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`
    case 'pattern':
      return `must be ${patternWords[params.pattern ?? ''] ?? `a string that matches ${params.pattern}`}`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    default:
      return message
  }
}

function listFieldNames(schema: OptionSchema, path: readonly string[]): string[] {
  let at: OptionSchema | undefined = schema
  for (const name of path)
    at = at?.properties?.[name] ?? at?.items ?? Object.values(at?.patternProperties ?? {})[0]
  return Object.keys(at?.properties ?? {})
}

/** Descriptions of option patterns for errors; `registry.test.ts` requires one for every pattern. */
export const patternWords: Readonly<Record<string, string>> = {
  '^[\\x20-\\x7E]*$': 'printable ASCII',
  '^[\\x21-\\x7E]*$': 'printable ASCII without spaces',
  '^[\\x21-\\x7E]+$': 'printable ASCII without spaces',
  '^[\\x21-\\x7E]{1,128}$': '1 to 128 characters of printable ASCII without spaces',
  '^[A-Za-z0-9_-]{16,128}$': '16 to 128 letters, digits, hyphens and underscores',
  '^[A-Za-z0-9._~-]{1,128}$': '1 to 128 letters, digits and the characters . _ ~ -',
  '^[A-Za-z0-9_.-]{1,64}$': '1 to 64 letters, digits and the characters _ . -',
  '^[A-Za-z0-9._-]{1,64}$': '1 to 64 letters, digits and the characters . _ -',
  '^[A-Za-z0-9_/-]{1,64}$': '1 to 64 letters, digits and the characters _ / -',
  '^[A-Za-z0-9-]{1,32}$': '1 to 32 letters, digits and hyphens',
  '^[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*$':
    'letters, digits, hyphens and underscores, in parts separated by dots',
  '^[1-9]\\d{0,3}$': 'a country code of 1 to 4 digits that does not begin with 0',
  '^[0-9A-Za-z]{1,20}$': '1 to 20 digits and letters',
  '^\\d{3,20}$': '3 to 20 digits',
  '^https?://\\S+$': 'an http or https URL without spaces',
  '^https?://[^\\s/@?#]+(?:[/?#]\\S*)?$': 'an http or https URL without spaces and without credentials',
}

/** Returns a "did you mean" suffix for an error about a misspelled name, or an empty string if no name is similar. */
export function didYouMean(name: string, names: readonly string[], prefix = ''): string {
  const nearest = findNearest(name, names)
  return nearest === undefined ? '' : `; did you mean ${prefix}${nearest}?`
}

/** Returns the name with the smallest edit distance, which must be at most a third of the length of that name, or 1. */
export function findNearest(name: string, names: readonly string[]): string | undefined {
  let nearest: string | undefined
  let least = Infinity
  for (const candidate of names) {
    const steps = distance(name.slice(0, 64).toLowerCase(), candidate.toLowerCase())
    if (steps < least && steps <= Math.max(1, Math.floor(candidate.length / 3))) {
      least = steps
      nearest = candidate
    }
  }
  return nearest
}

/** Returns the Levenshtein distance. */
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
