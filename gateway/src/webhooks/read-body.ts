/** Checks a body against its schema; the first field that does not fit is named, with the code that belongs to it. */
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { invalidField, Problem } from '../contract/problem.ts'
import type { ResultCode } from '../contract/result-codes.ts'

export function readBody<Schema extends TSchema>(
  schema: Schema,
  body: unknown,
  code: ResultCode,
): Static<Schema> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Problem('A011', 'JSON cannot be mapped: an object is wanted')
  if (Value.Check(schema, body)) return body
  const known = Object.keys((schema as unknown as { properties: object }).properties)
  const unknown = Object.keys(body).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new Problem('A300', `Wrong request: unknown field '${unknown.slice(0, 100)}'`)
  const [first] = Value.Errors(schema, body)
  const missing = (first?.params as { requiredProperties?: string[] } | undefined)?.requiredProperties?.[0]
  const field = missing ?? first?.instancePath.split('/')[1] ?? ''
  throw invalidField(
    field === 'url' ? 'A851' : code,
    field,
    missing === undefined ? first?.message : 'it is missing',
  )
}
