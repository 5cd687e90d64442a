/**
 * Finds where a candidate does not match its schema, each path once, and repairs a copy, so one wrong field
 * does not prevent the checks of the others. This is slow: use it only for candidates that do not match.
 */
import type { TSchema } from 'typebox'
import type { Validator } from 'typebox/compile'
import { Settings } from 'typebox/system'
import { Value } from 'typebox/value'

export interface SchemaError {
  readonly kind: 'unknown' | 'missing' | 'wrong'
  /** Field names and indexes, outermost first. */
  readonly location: readonly string[]
  readonly keyword: string
  readonly message: string
}

export const maxSchemaErrors = 64

// The setting is global; by default the library stops after eight errors.
Settings.Set({ maxErrors: maxSchemaErrors })

interface RawError {
  readonly keyword: string
  readonly instancePath: string
  readonly message: string
  readonly params: { readonly requiredProperties?: readonly string[] }
}

/**
 * Returns unknown fields first, then missing, then wrong ones, because many of the later errors follow from
 * the earlier.
 */
export function findSchemaErrors(validator: Validator, candidate: unknown): SchemaError[] {
  const found = (validator.Errors(candidate) as readonly RawError[]).flatMap(toSchemaErrors)
  const wrong: SchemaError[] = []
  const certain = found.filter(({ kind }) => kind !== 'wrong')
  for (const error of found.filter(({ kind }) => kind === 'wrong')) {
    // A schema with alternatives reports the errors of each, and then that none matches.
    if (![...certain, ...wrong].some(({ location }) => areNested(location, error.location))) wrong.push(error)
  }
  const filterKind = (expected: SchemaError['kind']) => certain.filter(({ kind }) => kind === expected)
  return [...filterKind('unknown'), ...filterKind('missing'), ...wrong].slice(0, maxSchemaErrors)
}

function toSchemaErrors({ keyword, instancePath, message, params }: RawError): SchemaError[] {
  const location = parsePointer(instancePath)
  switch (keyword) {
    // The fields themselves are reported as unknown.
    case 'additionalProperties':
      return []
    case 'boolean':
      return [{ kind: 'unknown', location, keyword, message }]
    case 'required':
      return (params.requiredProperties ?? []).map((name) => ({
        kind: 'missing',
        location: [...location, name],
        keyword,
        message,
      }))
    default:
      return [{ kind: 'wrong', location, keyword, message }]
  }
}

/** Parses `/button/0/name` into `button`, `0`, `name`. */
function parsePointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function areNested(one: readonly string[], other: readonly string[]): boolean {
  const [outer, inner] = one.length <= other.length ? [one, other] : [other, one]
  return outer.every((part, index) => inner[index] === part)
}

/**
 * Returns a copy without the unknown and wrong fields. A wrong field that is required gets a default value.
 */
export function repair(schema: TSchema, candidate: object, errors: readonly SchemaError[]): unknown {
  const copy = structuredClone(candidate)
  for (const { kind, location } of errors) if (kind === 'wrong') unset(copy, location)
  return Value.Repair(schema, copy)
}

function unset(root: object, location: readonly string[]): void {
  let at: unknown = root
  for (const part of location.slice(0, -1)) {
    if (typeof at !== 'object' || at === null) return
    at = (at as Record<string, unknown>)[part]
  }
  if (typeof at === 'object' && at !== null) (at as Record<string, unknown>)[location.at(-1)!] = undefined
}
