/** Converts schemas of an OpenAPI document to TypeScript types. */
import { isJsonObject, type JsonValue, type JsonObject } from '../src/edge/api/reference/client-schema.ts'
import { refName } from '../src/edge/api/reference/ref.ts'

export type Schemas = Readonly<Record<string, JsonObject>>

/** Returns one exported type per named schema. */
export function namedTypes(schemas: Schemas): string[] {
  return Object.entries(schemas).map(
    ([name, schema]) => `${comment(schema)}export type ${name} = ${toTypeScript(schema)}\n`,
  )
}

export function toTypeScript(schema: JsonObject): string {
  const type = plainTypeOf(schema)
  return schema.nullable === true ? `${type} | null` : type
}

function plainTypeOf(schema: JsonObject): string {
  const { $ref, type, enum: values, const: value, anyOf, oneOf = anyOf, items, format } = schema
  if (typeof $ref === 'string') return refName($ref)
  if (Array.isArray(oneOf)) return oneOf.map((one) => toTypeScript(one as JsonObject)).join(' | ')
  if (Array.isArray(values)) return values.map((one) => JSON.stringify(one)).join(' | ')
  if (value !== undefined) return JSON.stringify(value)
  if (type === 'array')
    return `readonly (${items === undefined ? 'unknown' : toTypeScript(items as JsonObject)})[]`
  if (type === 'object') return objectType(schema)
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean' || type === 'null') return type
  if (type === 'string') return format === 'binary' ? 'Blob' : 'string'
  if (type === undefined) return 'unknown'
  throw new Error(`no TypeScript type for ${JSON.stringify(schema).slice(0, 200)}`)
}

function objectType({ properties, required = [], additionalProperties: others }: JsonObject): string {
  const fields = Object.entries((properties ?? {}) as Schemas).map(([name, field]) => {
    const needed = (required as readonly JsonValue[]).includes(name)
    const type = toTypeScript(field)
    return `${comment(field)}readonly ${JSON.stringify(name)}${needed ? `: ${type}` : `?: ${type} | undefined`}`
  })
  if (isJsonObject(others)) return `Readonly<Record<string, ${toTypeScript(others)}>>`
  if (fields.length === 0) return 'Readonly<Record<string, unknown>>'
  return `{\n${[...fields, ...(others === true ? ['readonly [name: string]: unknown'] : [])].join('\n')}\n}`
}

function comment({ description, default: standard }: JsonObject): string {
  const parts = [
    ...(typeof description === 'string' ? [description] : []),
    ...(standard === undefined || standard === '' || typeof standard === 'object'
      ? []
      : [`Default: ${standard}`]),
  ]
  if (parts.length === 0) return ''
  const text = parts.join('. ').replace('.. Default', '. Default')
  return `/** ${text.replaceAll('*/', '* /').replaceAll('\n', '\n * ')} */\n`
}

/** Returns the path or query parameters of an operation as one object; null if it has none. */
export function parametersType({ parameters = [] }: JsonObject, place: 'path' | 'query'): string | null {
  const those = (parameters as readonly JsonObject[]).filter((parameter) => parameter.in === place)
  if (those.length === 0) return null
  const properties = Object.fromEntries(
    those.map(({ name, schema, description }) => [
      name as string,
      { ...(schema as JsonObject), description: description! },
    ]),
  )
  const required = those.filter((parameter) => parameter.required).map(({ name }) => name!)
  return objectType({ type: 'object', properties, required })
}
