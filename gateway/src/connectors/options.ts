/**
 * Option schemas of connector kinds: the usual fields, and parsing. An error names the field and what it must be, never its
 * value, which can be a password.
 */
import { Type, type Static, type TObject } from 'typebox'
import { Value } from 'typebox/value'
import { causes } from '../channels/cause.ts'
import type { OptionSchema } from './option-schema.ts'

/** Belongs to every object of a schema: refuses unknown fields. */
export const closed = { additionalProperties: false }

export const integer = (description: string, standard: number, minimum: number, maximum: number) =>
  Type.Integer({ description, default: standard, minimum, maximum })

export const milliseconds = (description: string, standard: number, minimum = 1) =>
  integer(description, standard, minimum, 86_400_000)

/** A text without a default is required. */
export const text = (description: string, maxLength: number, standard?: string) =>
  Type.String({
    description,
    maxLength,
    ...(standard === undefined ? { minLength: 1 } : { default: standard }),
  })

/** Documentation marks it as a secret, and output masks it. */
export const secret = (description: string, maxLength = 4_096) =>
  Type.String({ description, minLength: 1, maxLength, secret: true })

/** Marks a text that can be a reference, although it is no secret and no address. */
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
    () => 'must be an http or https address',
  )

export const pem = (what: string, mark: { readonly secret?: boolean; readonly address?: boolean } = {}) =>
  Type.Optional(
    Type.String({
      description: `${what}, PEM.`,
      minLength: 1,
      contentMediaType: 'application/x-pem-file',
      ...referable,
      ...mark,
    }),
  )

/** TLS settings of connections over https. */
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

/** Country code of numbers in domestic form. Countries that share +1 have four digits. */
export const countryCode = (description: string) =>
  Type.String({ description, pattern: '^[1-9]\\d{0,3}$', default: '82' })

/** Last segment of a callback URL that only the carrier knows. */
export const addressToken = (description: string) =>
  Type.String({ description, pattern: '^[A-Za-z0-9_-]{16,128}$', secret: true })

/** Exceptions to the standard meaning of a carrier's codes. */
export const causesByCode = (description: string) =>
  Type.Record(Type.String({ maxLength: 64 }), cause, { description, default: {} })

/** Overrides which routes share receipts; the default is routes with the same login. */
export const receiptGroup = (standard: string) =>
  Type.Optional(
    Type.String({
      description: `Routes with the same value receive the receipts of each other. Default: ${standard}.`,
      minLength: 1,
      maxLength: 64,
    }),
  )

/** Options that do not match their schema. */
export class OptionsError extends Error {
  override readonly name = 'OptionsError'
  /** Path of the wrong option, such as `tls.ca`. */
  readonly path: string

  constructor(message: string, path: string, options?: ErrorOptions) {
    super(message, options)
    this.path = path
  }
}

/** Fills in defaults and checks the options. An error begins with `title`. */
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

/** Path of the option that is wrong, missing or unknown. */
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
    return `there is no option ${prefix}${unknown}${suggestion}`
  }
  const [missing] = params.requiredProperties ?? []
  if (missing !== undefined) return `${[...path, missing].join('.')} is missing`
  return `${path.length === 0 ? 'the object' : path.join('.')} ${describeRequirement(error, params)}`
}

function describeRequirement({ keyword, message }: OptionError, params: OptionErrorParams): string {
  switch (keyword) {
    case 'enum':
      return `must be one of ${(params.allowedValues ?? []).map((value) => JSON.stringify(value)).join(', ')}`
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`
    case 'pattern':
      return `must be ${patternWords[params.pattern ?? ''] ?? `a text that matches ${params.pattern}`}`
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

/** Describes the patterns of options in errors; `registry.test.ts` requires all of them. */
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
  '^https?://\\S+$': 'an http or https address without spaces',
  '^https?://[^\\s/@?#]+(?:[/?#]\\S*)?$': 'an http or https address without spaces and without credentials',
}

/** Ends an error about a misspelled name. Empty if no name is similar. */
export function didYouMean(name: string, names: readonly string[], prefix = ''): string {
  const nearest = findNearest(name, names)
  return nearest === undefined ? '' : `; did you mean ${prefix}${nearest}?`
}

/** Returns the name that differs least, by at most a third of its letters. */
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
