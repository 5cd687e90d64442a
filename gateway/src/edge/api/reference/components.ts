/**
 * Converts schemas of the server to schemas of the OpenAPI document: a named schema becomes a reference, and
 * forms specific to TypeBox become plain JSON Schema. The meaning never changes.
 */

type Json = null | boolean | number | string | readonly Json[] | JsonObject
interface JsonObject {
  readonly [key: string]: Json
}

export function createComponents(named: ReadonlyMap<string, object>): Record<string, object> {
  const names = new Map<string, string>()
  for (const [name, schema] of named) {
    const shape = toShape(schema)
    const other = names.get(shape)
    if (other !== undefined) throw new Error(`${other} and ${name} are the same schema: name it once`)
    names.set(shape, name)
  }

  function visit(node: Json, ownName?: string): Json {
    if (Array.isArray(node)) return (node as readonly Json[]).map((item) => visit(item))
    if (typeof node !== 'object' || node === null) return node
    const name = names.get(toShape(node))
    if (name !== undefined && name !== ownName) return toReference(name, node as JsonObject)
    const jsonSchema = toJsonSchema(node as JsonObject)
    return Object.fromEntries(Object.entries(jsonSchema).map(([key, value]) => [key, visit(value)]))
  }

  /** Creates a reference with the default of the node, and its description if the named schema has another. */
  function toReference(name: string, { description, default: standard }: JsonObject): JsonObject {
    const { description: common } = named.get(name) as JsonObject
    return {
      $ref: `#/components/schemas/${name}`,
      ...(description === undefined || description === common ? {} : { description }),
      ...(standard === undefined ? {} : { default: standard }),
    }
  }

  return Object.fromEntries([...named].map(([name, schema]) => [name, visit(toJson(schema), name) as object]))
}

/**
 * Returns the JSON of a schema without extensions and without its own description and default. Schemas are
 * compared by it, because an optional field is a copy of the named object.
 */
function toShape(schema: object): string {
  return JSON.stringify({ ...schema, description: undefined, default: undefined }, (key, value: unknown) => {
    if (key.startsWith('x-')) return undefined
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
  })
}

function toJson(schema: object): Json {
  return JSON.parse(JSON.stringify(schema)) as Json
}

/** Pattern that TypeBox writes for records whose keys may be any text. */
const anyName = '^.*$'

function toJsonSchema(node: JsonObject): JsonObject {
  const { enum: values, patternProperties: patterns } = node
  if (Array.isArray(values) && node.type === undefined) return { type: 'string', ...node }
  if (typeof patterns === 'object' && patterns !== null && anyName in patterns) {
    const others = Object.entries(node).filter(([key]) => key !== 'patternProperties')
    const value = patterns[anyName]!
    return { ...Object.fromEntries(others), additionalProperties: isEmpty(value) ? true : value }
  }
  return node
}

function isEmpty(node: Json): boolean {
  return typeof node === 'object' && node !== null && Object.keys(node).length === 0
}
