/**
 * The shape of a request body, checked against its channel's schema. The first wrong field is named by its path and
 * answered with the code that belongs to it.
 */
import { Compile, type Validator } from 'typebox/compile'
import type { TSchema } from 'typebox'
import { invalidField, Problem } from '../platform/problem.ts'

export interface Shape {
  /** Throws a Problem for the first field that does not fit. `at` is the path before its fields. */
  check(candidate: unknown, at?: string): void
}

export function createShape(schema: TSchema, fieldCodes: Readonly<Record<string, string>>): Shape {
  const validator: Validator = Compile(schema)
  return {
    check(candidate, at = '') {
      if (validator.Check(candidate)) return
      throw explain(validator, candidate, fieldCodes, at)
    },
  }
}

interface ShapeError {
  readonly keyword: string
  readonly instancePath: string
  readonly message: string
  readonly params: { readonly requiredProperties?: string[]; readonly additionalProperties?: string[] }
}

function explain(
  validator: Validator,
  candidate: unknown,
  fieldCodes: Readonly<Record<string, string>>,
  at: string,
): Problem {
  if (typeof candidate !== 'object' || candidate === null || Array.isArray(candidate)) {
    if (at === '') return new Problem('A011', 'JSON cannot be mapped: an object is wanted')
    return invalidField('A300', at.slice(0, -1), 'an object is wanted')
  }
  const errors = validator.Errors(candidate) as readonly ShapeError[]
  // A schema also reports, less clearly, what follows from an unknown or missing field.
  const error =
    errors.find((candidateError) => isUnknownField(candidateError, errors)) ??
    errors.find(({ keyword }) => keyword === 'required') ??
    errors.find(({ keyword }) => keyword !== 'additionalProperties') ??
    errors[0]
  const base = toPath(error?.instancePath ?? '')
  const unknown = error?.params.additionalProperties?.[0]
  if (unknown !== undefined)
    return new Problem('A300', `Wrong request: unknown field '${at}${join(base, unknown)}'`)
  const missing = error?.params.requiredProperties?.[0]
  const path = missing === undefined ? base : join(base, missing)
  const code = codeOf(path, fieldCodes)
  if (error?.keyword === 'maxLength' && path === 'text') {
    return new Problem('A328', `Text too long: '${at}${path}' ${error.message}`)
  }
  return invalidField(code, `${at}${path}`, missing === undefined ? error?.message : 'it is missing')
}

/** Not one of a type that the schema does not take: that has an error of its own. */
function isUnknownField(
  { keyword, instancePath, params }: ShapeError,
  errors: readonly ShapeError[],
): boolean {
  const field = `${instancePath}/${params.additionalProperties?.[0] ?? ''}`
  return (
    keyword === 'additionalProperties' &&
    !errors.some((other) => other.instancePath.startsWith(field) && other.keyword !== 'boolean')
  )
}

/** `/button/0/name` → `button[0].name`. */
function toPath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : join(path, part)), '')
}

function join(path: string, part: string): string {
  return path === '' ? part : `${path}.${part}`
}

/**
 * The code of the most particular name that has one: the whole path, its end (`button.name`), then each name in it from
 * the inside out.
 */
function codeOf(path: string, fieldCodes: Readonly<Record<string, string>>): string {
  const parts = path.replaceAll(/\[\d+\]/g, '').split('.')
  const ends = parts
    .map((_, index) => parts.slice(index).join('.'))
    .filter((end) => end === parts.join('.') || end.includes('.'))
  const starts = parts
    .map((_, index) => parts.slice(0, parts.length - index).join('.'))
    .filter((start) => start.includes('.'))
  const found = [...ends, ...starts, ...parts.toReversed()].find((name) => Object.hasOwn(fieldCodes, name))
  return found === undefined ? 'A300' : fieldCodes[found]!
}
