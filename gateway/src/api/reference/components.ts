/**
 * Converts schemas of the server into schemas of the OpenAPI document: a named schema becomes a reference, and forms that
 * are specific to TypeBox become the usual JSON Schema. The meaning never changes.
 */

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

export interface SchemaWriter {
  /** The schema, or a reference when it has a name. */
  write(schema: object): object
  /** All named schemas, by name. */
  components(): Record<string, object>
}

export function createSchemaWriter(named: ReadonlyMap<string, object>): SchemaWriter {
  // Compared by their text, because an optional field is a copy of the named object. Extension keys are ignored.
  const names = new Map([...named].map(([name, schema]) => [textOf(schema), name]))

  function visit(node: Json, own?: string): Json {
    if (Array.isArray(node)) return (node as readonly Json[]).map((item) => visit(item))
    if (typeof node !== 'object' || node === null) return node
    const name = names.get(textOf(node))
    if (name !== undefined && name !== own) return { $ref: `#/components/schemas/${name}` }
    const usual = toUsualForm(node as Readonly<Record<string, Json>>)
    return Object.fromEntries(Object.entries(usual).map(([key, value]) => [key, visit(value)]))
  }

  return {
    write: (schema) => visit(toJson(schema)) as object,
    components: () =>
      Object.fromEntries([...named].map(([name, schema]) => [name, visit(toJson(schema), name) as object])),
  }
}

/** Independent of the order of fields. */
function textOf(schema: object): string {
  return JSON.stringify(schema, (key, value: unknown) => {
    if (key.startsWith('x-')) return undefined
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
  })
}

function toJson(schema: object): Json {
  return JSON.parse(JSON.stringify(schema)) as Json
}

const anyName = '^.*$'

function toUsualForm(node: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
  const { enum: values, patternProperties: patterns } = node
  if (Array.isArray(values) && node.type === undefined) return { type: 'string', ...node }
  if (typeof patterns === 'object' && patterns !== null && anyName in patterns) {
    const others = Object.entries(node).filter(([key]) => key !== 'patternProperties')
    const value = (patterns as Readonly<Record<string, Json>>)[anyName]!
    return { ...Object.fromEntries(others), additionalProperties: isEmpty(value) ? true : value }
  }
  return node
}

function isEmpty(node: Json): boolean {
  return typeof node === 'object' && node !== null && Object.keys(node).length === 0
}
