/** Converts the result of an operation to response data. */
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'

/** Converts dates to strings, then removes everything that the schema does not describe. */
export function toResponse(schema: TSchema, data: unknown): unknown {
  return Value.Clean(schema, JSON.parse(JSON.stringify(data)))
}

interface Described {
  readonly properties?: Readonly<Record<string, Described & { readonly 'x-internal'?: boolean }>>
  readonly items?: Described
  readonly anyOf?: readonly Described[]
}

/** Removes internal fields (see `fields.ts`) at every level. */
export function withoutInternal(schema: TSchema, data: unknown): unknown {
  return remove(schema, JSON.parse(JSON.stringify(data)))
}

function remove(schema: Described, data: unknown): unknown {
  const { properties, items, anyOf } = schema
  if (anyOf !== undefined) return anyOf.reduce((remaining, member) => remove(member, remaining), data)
  if (Array.isArray(data)) return items === undefined ? data : data.map((item) => remove(items, item))
  if (typeof data !== 'object' || data === null || properties === undefined) return data
  return Object.fromEntries(
    Object.entries(data as Readonly<Record<string, unknown>>)
      .filter(([name]) => properties[name]?.['x-internal'] !== true)
      .map(([name, value]) => [name, remove(properties[name] ?? {}, value)]),
  )
}
