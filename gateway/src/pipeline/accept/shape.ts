/**
 * Checks the shape of a request body against the schema of its channel. An issue has the path and the result
 * code of its field. Unknown fields come first, then missing, then wrong ones.
 */
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import type { Issues } from '../../channels/issues.ts'
import { describeOriginForm } from '../../channels/origin-form.ts'
import { FieldProblem, invalidField, memberPath, Problem } from '../../contract/problem.ts'
import type { FieldCodes, ResultCode } from '../../contract/result-codes.ts'
import { findSchemaErrors, maxSchemaErrors, repair, type SchemaError } from './schema-errors.ts'

export interface Shape {
  /**
   * Adds an issue for every field that does not fit. `at` is the path before the fields. Returns the candidate, or after an
   * issue a copy in which the wrong fields are repaired, or null if no further check is possible or needed.
   */
  check(candidate: unknown, at: string, issues: Issues): unknown
  /** Creates the problem of a text that is too long to be checked. `path` begins after `at`. */
  tooLong(path: string, reason: string, at: string): Problem
}

export function createShape(schema: TSchema, fieldCodes: FieldCodes): Shape {
  const validator: Validator = Compile(schema)
  return {
    check(candidate, at, issues) {
      if (validator.Check(candidate)) return candidate
      if (!isFields(candidate)) {
        issues.add(notAnObject(at), at)
        return null
      }
      const errors = findSchemaErrors(validator, candidate)
      if (errors.length === 0)
        issues.add(new Problem('A300', 'Wrong request: it does not match the schema'), at)
      for (const error of errors) {
        if (issues.isSettled()) return null
        const path = toPath(error.location)
        issues.add(toProblem(error, path, fieldCodes, at), findHidden(error, path, at))
      }
      if (issues.isSettled() || errors.length >= maxSchemaErrors) return null
      const repaired = repair(schema, candidate, errors)
      return validator.Check(repaired) ? repaired : null
    },
    tooLong: (path, reason, at) => tooLong(path, reason, fieldCodes, at),
  }
}

function isFields(candidate: unknown): candidate is object {
  return typeof candidate === 'object' && candidate !== null && !Array.isArray(candidate)
}

function notAnObject(at: string): Problem {
  if (at === '') return new Problem('A011', 'JSON cannot be mapped: the body must be an object')
  return invalidField('A300', at.slice(0, -1), 'must be an object')
}

function toProblem(
  { kind, keyword, message }: SchemaError,
  path: string,
  fieldCodes: FieldCodes,
  at: string,
): Problem {
  const field = at + path
  if (kind === 'unknown') {
    if (fieldCodes[path] === 'A321') return invalidField('A321', field, 'is not for international messages')
    return new FieldProblem('A300', `Wrong request: unknown field '${field}'`, field, 'is not a known field')
  }
  if (keyword === 'maxLength') return tooLong(path, message, fieldCodes, at)
  // Only operator codes have a format.
  const reason = keyword === 'format' ? `must be ${describeOriginForm()}` : message
  return invalidField(findCode(path, fieldCodes), field, kind === 'missing' ? 'is required' : reason)
}

function tooLong(path: string, reason: string, fieldCodes: FieldCodes, at: string): Problem {
  const field = at + path
  if (path === 'text') return new FieldProblem('A328', `Text too long: '${field}' ${reason}`, field, reason)
  return invalidField(findCode(path, fieldCodes), field, reason)
}

/** Fields that determine how the other fields of their object are checked. */
const kindFields: ReadonlySet<string> = new Set(['msgType', 'sendType', 'formatId', 'type'])

function findHidden({ kind, location }: SchemaError, path: string, at: string): string {
  if (kind === 'unknown' || !kindFields.has(location.at(-1)!)) return at + path
  const parent = toPath(location.slice(0, -1))
  return parent === '' ? at : `${at}${parent}.`
}

/** Joins `button`, `0`, `name` to `button[0].name`. */
function toPath(location: readonly string[]): string {
  return location.reduce(
    (path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : memberPath(path, part)),
    '',
  )
}

/**
 * Finds the most specific name with a code: the whole path, its ends (`button.name`), its beginnings (`attachment.button`),
 * then each single name from the innermost out.
 */
function findCode(path: string, fieldCodes: FieldCodes): ResultCode {
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
