/** Data of an answer as its schema describes it. Pure. */
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'

/** Dates become texts first; then whatever the schema does not describe is removed. */
export function toAnswer(schema: TSchema, data: unknown): unknown {
  return Value.Clean(schema, JSON.parse(JSON.stringify(data)))
}
