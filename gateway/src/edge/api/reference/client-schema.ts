/**
 * Converts schemas to forms that code generators of every language turn into plain types. The result accepts
 * nothing that the server refuses, except where a description states the rule.
 */
import { refName } from './ref.ts'

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject
export interface JsonObject {
  readonly [key: string]: JsonValue
}

export const isJsonObject = (node: JsonValue | undefined): node is JsonObject =>
  typeof node === 'object' && node !== null && !Array.isArray(node)

/** Side that sends the schema: clients must ignore unknown fields, the server refuses them. */
export type SchemaSender = 'client' | 'server'

export function toClientSchema(node: JsonValue, sender: SchemaSender): JsonValue {
  if (Array.isArray(node)) return (node as readonly JsonValue[]).map((item) => toClientSchema(item, sender))
  if (!isJsonObject(node)) return node
  // OpenAPI 3.0 allows no siblings of a reference.
  if (typeof node.$ref === 'string') return { $ref: node.$ref }
  const plain = withoutUnion(node)
  const entries = Object.entries(plain).flatMap(([key, value]): [string, JsonValue][] => {
    if (key === 'properties') return [[key, mapFields(value as JsonObject, sender)]]
    if (isLeftOut(key) || (key === 'additionalProperties' && value === false && sender === 'server'))
      return []
    return [[key, toClientSchema(value, sender)]]
  })
  return withDefaultInText(plain, Object.fromEntries(entries))
}

/**
 * Reports whether a keyword is omitted: extensions, a keyword that OpenAPI 3.0 does not have, the title, which would
 * become the name of a type, and the default, which moves into the description.
 */
function isLeftOut(key: string): boolean {
  return key.startsWith('x-') || key === 'contentMediaType' || key === 'default' || key === 'title'
}

/** Handles fields separately, because a field may be named like a JSON Schema keyword. */
function mapFields(fields: JsonObject, sender: SchemaSender): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, toClientSchema(field, sender)]),
  )
}

/**
 * Moves the default into the description. Generated clients send the default of an unset field, which in an
 * update would reset every setting that the caller left out.
 */
function withDefaultInText(node: JsonObject, schema: JsonObject): JsonObject {
  const { default: standard } = node
  if (
    standard === undefined ||
    standard === '' ||
    typeof standard === 'object' ||
    typeof schema.description !== 'string'
  )
    return schema
  const text = `${schema.description.replace(/\.$/, '')}. Default: ${String(standard)}`
  return { ...schema, description: text }
}

/** Reduces a union to the type that clients use: the array of "one or several", or the type that can be null. */
function withoutUnion({ anyOf = [], ...others }: JsonObject): JsonObject {
  const members = anyOf as readonly JsonObject[]
  if (members.length === 0) return others
  const arrays = members.filter(({ type }) => type === 'array')
  const nonNull = members.filter(({ type }) => type !== 'null')
  if (arrays.length === 1) return { ...arrays[0], ...others }
  if (nonNull.length === 1 && members.length > 1) return { ...nonNull[0], ...others, nullable: true }
  throw new Error(`the client document cannot express this union: ${JSON.stringify(members).slice(0, 200)}`)
}

/**
 * Merges a union of named objects into one object. The members share some fields and have one each that the
 * others lack; all generators turn the result into a type with optional fields. Generated Java cannot read a
 * response with `oneOf`: it ignores unknown fields, so several members match.
 */
export function mergeMembers({ oneOf, ...others }: JsonObject, schemas: JsonObject): JsonObject {
  if (oneOf === undefined) return others
  const members = (oneOf as readonly JsonObject[]).map(
    ({ $ref }) => schemas[refName($ref as string)] as JsonObject,
  )
  const required = members
    .map((member) => member.required as readonly string[])
    .reduce((common, fields) => common.filter((field) => fields.includes(field)))
  return {
    type: 'object',
    ...others,
    properties: Object.assign({}, ...members.map(({ properties }) => properties as JsonObject)) as JsonObject,
    additionalProperties: false,
    ...(required.length === 0 ? { minProperties: 1, maxProperties: 1 } : { required }),
  }
}

/** Collects the names of all schemas that a node refers to, directly or through others. */
export function findReachable(node: JsonValue, schemas: JsonObject, found = new Set<string>()): Set<string> {
  if (typeof node !== 'object' || node === null) return found
  for (const [key, value] of Object.entries(node)) {
    if (key !== '$ref' || typeof value !== 'string') {
      findReachable(value, schemas, found)
      continue
    }
    const name = refName(value)
    const schema = schemas[name]
    if (schema === undefined || found.has(name)) continue
    found.add(name)
    findReachable(schema, schemas, found)
  }
  return found
}
