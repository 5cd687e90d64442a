/**
 * Reads a request by the schemas of its operation: converts parameters, and rejects unknown fields. Adds the
 * reason, which is a body field, or a query parameter if the request has no body.
 */
import { Type, type TObject, type TProperties, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { shownPattern } from './fields.ts'
import type { AdminOperation, OperationInput } from './operation.ts'
import { hasNul } from './nul.ts'
import { OperationError, wrongField } from './errors.ts'

/** Like `--reason` of a command. */
export const reasonField = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: shownPattern,
  description: 'Reason, for the audit log; 1 to 200 characters without control characters',
})

export interface InputSchemas {
  readonly params: TObject
  readonly query: TObject
  /** `null` if the request has no body. */
  readonly body: TObject | null
}

/** Returns the schemas of a request with the reason added. */
export function inputSchemas(
  operation: Pick<AdminOperation, 'method' | 'params' | 'query' | 'body' | 'access'>,
): InputSchemas {
  const { method, params, query, body, access } = operation
  const hasBody = method !== 'get' && method !== 'delete'
  const reason: TProperties =
    access.kind === 'read'
      ? {}
      : { reason: access.reason === 'required' ? reasonField : Type.Optional(reasonField) }
  return {
    params: strict(params),
    query: strict(hasBody ? query : { ...query, ...reason }),
    body: hasBody ? strict({ ...body, ...reason }) : null,
  }
}

const strict = (fields: TProperties): TObject => Type.Object(fields, { additionalProperties: false })

export interface ReadInput extends OperationInput {
  /** Empty if no reason is given. */
  readonly reason: string
}

export function readInput(
  schemas: InputSchemas,
  given: { readonly params: unknown; readonly query: unknown; readonly body: unknown },
): ReadInput {
  const params = check(schemas.params, convert(schemas.params, given.params), 'path')
  const query = check(schemas.query, convert(schemas.query, given.query), 'query')
  if (schemas.body === null && given.body !== undefined && given.body !== null)
    throw new OperationError('invalid-request', 'this operation accepts no body')
  const body = schemas.body === null ? {} : check(schemas.body, given.body ?? {}, 'body')
  const { reason: queryReason, ...queryWithout } = query
  const { reason: bodyReason, ...bodyWithout } = body
  const reason = ((bodyReason ?? queryReason ?? '') as string).trim()
  return { params, query: queryWithout, body: bodyWithout, reason }
}

type Values = Record<string, unknown>

/**
 * Converts URL strings to the types of the schema. Strings that cannot be converted stay as they are, and are
 * rejected.
 */
function convert(schema: TObject, given: unknown): Values {
  return Object.fromEntries(
    Object.entries((given ?? {}) as Values).map(([name, value]) => {
      const field = (schema.properties as Record<string, TSchema | undefined>)[name]
      return [name, typeof value === 'string' ? convertText(field, value) : value]
    }),
  )
}

function convertText(schema: TSchema | undefined, value: string): unknown {
  const { type } = (schema ?? {}) as { type?: string }
  if (type === 'integer' && /^-?\d{1,15}$/.test(value)) return Number(value)
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

function check(schema: TObject, given: unknown, where: string): Values {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new OperationError('invalid-request', `the ${where} must be an object`)
  if (hasNul(given))
    throw new OperationError('invalid-request', `the ${where} must not contain NUL characters`)
  const candidate = Value.Default(schema, given)
  if (Value.Check(schema, candidate)) return candidate
  throw describeFirst(schema, candidate, where)
}

interface SchemaError {
  readonly keyword: string
  readonly instancePath: string
  readonly message: string
  readonly params: {
    readonly requiredProperties?: readonly string[]
    readonly additionalProperties?: readonly string[]
    readonly allowedValues?: readonly unknown[]
  }
}

function describeFirst(schema: TObject, candidate: unknown, where: string): OperationError {
  const errors = Value.Errors(schema, candidate) as unknown as readonly SchemaError[]
  // Name an unknown field itself, not the values expected for it.
  const unknown = errors.find(({ params }) => params.additionalProperties !== undefined)
  if (unknown !== undefined) {
    const [name = ''] = unknown.params.additionalProperties!
    const allowed = Object.keys(schema.properties)
    const words = allowed.length === 0 ? 'none' : allowed.join(', ')
    return wrongField(name.slice(0, 50), `is unknown in the ${where}; allowed: ${words}`, { allowed })
  }
  const [first] = errors
  const missing = first?.params.requiredProperties?.[0]
  const name = first?.instancePath.slice(1).replaceAll('/', '.') ?? ''
  if (missing !== undefined)
    return wrongField(name === '' ? missing : `${name}.${missing}`, `is required in the ${where}`)
  const allowed = first?.params.allowedValues
  const problem =
    allowed === undefined ? (first?.message ?? 'is invalid') : `must be one of ${allowed.join(', ')}`
  return wrongField(name, `${problem} in the ${where}`)
}
