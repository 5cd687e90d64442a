/**
 * What of a candidate does not fit its schema, each place once, and the candidate made to fit, so that one wrong field
 * does not keep the others from being checked. Only for candidates that do not fit: it takes its time.
 */
import type { TSchema } from 'typebox'
import type { Validator } from 'typebox/compile'
import { Settings } from 'typebox/system'
import { Value } from 'typebox/value'

export interface SchemaError {
  readonly kind: 'unknown' | 'missing' | 'wrong'
  /** Names and indexes from the candidate inwards. */
  readonly place: readonly string[]
  readonly keyword: string
  readonly message: string
}

/** Nobody reads more at once. */
export const maxSchemaErrors = 64

// Of the library as a whole: by default it stops after eight.
Settings.Set({ maxErrors: maxSchemaErrors })

interface RawError {
  readonly keyword: string
  readonly instancePath: string
  readonly message: string
  readonly params: { readonly requiredProperties?: readonly string[] }
}

/** First what is unknown, then what is missing, then what is wrong: of the rest, much follows from these. */
export function findSchemaErrors(validator: Validator, candidate: unknown): SchemaError[] {
  const all = (validator.Errors(candidate) as readonly RawError[]).flatMap(toSchemaErrors)
  const wrong: SchemaError[] = []
  const surer = all.filter(({ kind }) => kind !== 'wrong')
  for (const error of all.filter(({ kind }) => kind === 'wrong')) {
    // A schema with alternatives tells what is wrong with each, and then that none fits.
    if (![...surer, ...wrong].some(({ place }) => areNested(place, error.place))) wrong.push(error)
  }
  const ofKind = (wanted: SchemaError['kind']) => surer.filter(({ kind }) => kind === wanted)
  return [...ofKind('unknown'), ...ofKind('missing'), ...wrong].slice(0, maxSchemaErrors)
}

function toSchemaErrors({ keyword, instancePath, message, params }: RawError): SchemaError[] {
  const place = placeOf(instancePath)
  switch (keyword) {
    // It follows from errors of the fields themselves.
    case 'additionalProperties':
      return []
    case 'boolean':
      return [{ kind: 'unknown', place, keyword, message }]
    case 'required':
      return (params.requiredProperties ?? []).map((name) => ({
        kind: 'missing',
        place: [...place, name],
        keyword,
        message,
      }))
    default:
      return [{ kind: 'wrong', place, keyword, message }]
  }
}

/** `/button/0/name` → `button`, `0`, `name`. */
function placeOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function areNested(one: readonly string[], other: readonly string[]): boolean {
  const [outer, inner] = one.length <= other.length ? [one, other] : [other, one]
  return outer.every((part, index) => inner[index] === part)
}

/** A copy in which unknown fields are gone, and wrong ones gone or, where they are needed, without meaning. */
export function repair(schema: TSchema, candidate: object, errors: readonly SchemaError[]): unknown {
  const copy = structuredClone(candidate)
  for (const { kind, place } of errors) if (kind === 'wrong') unset(copy, place)
  return Value.Repair(schema, copy)
}

function unset(root: object, place: readonly string[]): void {
  let at: unknown = root
  for (const part of place.slice(0, -1)) {
    if (typeof at !== 'object' || at === null) return
    at = (at as Record<string, unknown>)[part]
  }
  if (typeof at === 'object' && at !== null) (at as Record<string, unknown>)[place.at(-1)!] = undefined
}
