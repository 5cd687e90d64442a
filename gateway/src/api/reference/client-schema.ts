/**
 * Schemas of the client document: what the server checks, in forms that code generators of every language turn into
 * plain types. Nothing here accepts what the server refuses, except where a description states the rule.
 */
import { refName } from './ref.ts'

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

export const isObject = (node: Json | undefined): node is JsonObject =>
  typeof node === 'object' && node !== null && !Array.isArray(node)

/** Which side sends the schema: a client must ignore fields that it does not know, the server refuses them. */
export type Sender = 'client' | 'server'

export function toClientSchema(node: Json, sender: Sender): Json {
  if (Array.isArray(node)) return (node as readonly Json[]).map((item) => toClientSchema(item, sender))
  if (!isObject(node)) return node
  // OpenAPI 3.0 allows nothing beside a reference.
  if (typeof node.$ref === 'string') return { $ref: node.$ref }
  const plain = withoutUnion(node)
  const entries = Object.entries(plain).flatMap(([key, value]): [string, Json][] => {
    if (key === 'properties') return [[key, mapFields(value as JsonObject, sender)]]
    if (isLeftOut(key) || (key === 'additionalProperties' && value === false && sender === 'server'))
      return []
    return [[key, toClientSchema(value, sender)]]
  })
  return withDefaultInText(plain, Object.fromEntries(entries))
}

/** Extensions, and words that OpenAPI 3.0 does not have. A title would become the name of a type. */
function isLeftOut(key: string): boolean {
  return key.startsWith('x-') || key === 'contentMediaType' || key === 'default' || key === 'title'
}

/** A field may be named like a word of JSON Schema. */
function mapFields(fields: JsonObject, sender: Sender): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, toClientSchema(field, sender)]),
  )
}

/**
 * Generated clients send the default of a field that is not set. That repeats what the server does, except in a change,
 * where it would reset every setting that the caller left out.
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

function withoutUnion({ anyOf = [], ...others }: JsonObject): JsonObject {
  const members = anyOf as readonly JsonObject[]
  if (members.length === 0) return others
  const lists = members.filter(({ type }) => type === 'array')
  const real = members.filter(({ type }) => type !== 'null')
  if (lists.length === 1) return { ...lists[0], ...others }
  if (real.length === 1 && real.length < members.length) return { ...real[0], ...others, nullable: true }
  throw new Error(`the client document has no form for this union: ${JSON.stringify(members).slice(0, 200)}`)
}

/**
 * Makes one object of a union of named objects. Its members have some fields in common and one each of their own: all
 * generators turn this into a type with an optional field for each member. Of `oneOf`, generated Java cannot read a
 * response, because it ignores unknown fields and so finds several members that match.
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

/** The names of all schemas that a node refers to, through others too. */
export function reachable(node: Json, schemas: JsonObject, found = new Set<string>()): Set<string> {
  if (typeof node !== 'object' || node === null) return found
  for (const [key, value] of Object.entries(node)) {
    if (key !== '$ref' || typeof value !== 'string') {
      reachable(value, schemas, found)
      continue
    }
    const name = refName(value)
    const schema = schemas[name]
    if (schema === undefined || found.has(name)) continue
    found.add(name)
    reachable(schema, schemas, found)
  }
  return found
}
