/**
 * The few checks that all Kakao sub-objects are made of. Each refuses with the caller's code and path and says
 * what is allowed and what was found. An empty string counts as absent: substitution can leave one behind.
 */
import { invalidField } from '../../contract/problem.ts'
import type { ResultCode } from '../../contract/result-codes.ts'
import type { Issues } from '../issues.ts'
import { normaliseText } from '../text/normalise.ts'

export function isEmpty(value: string | undefined): boolean {
  return value === undefined || value === ''
}

export function requireValue(
  value: string | undefined,
  code: ResultCode,
  path: string,
  issues: Issues,
  reason?: string,
): void {
  if (!isEmpty(value)) return
  issues.add(invalidField(code, path, reason ?? (value === '' ? 'must not be empty' : 'is required')))
}

export function limitText(
  value: string | undefined,
  most: number,
  code: ResultCode,
  path: string,
  issues: Issues,
): void {
  if (value === undefined) return
  const found = normaliseText(value).length
  if (found > most) issues.add(invalidField(code, path, `must be at most ${most} characters, found ${found}`))
}

export function requireText(
  value: string | undefined,
  most: number,
  code: ResultCode,
  path: string,
  issues: Issues,
): void {
  requireValue(value, code, path, issues)
  limitText(value, most, code, path, issues)
}

export function limitCount(
  found: number,
  range: { readonly fewest?: number; readonly most: number },
  code: ResultCode,
  path: string,
  issues: Issues,
): void {
  const { fewest = 0, most } = range
  if (found >= fewest && found <= most) return
  const allowed = fewest === 0 ? `at most ${most}` : `${fewest} to ${most}`
  issues.add(invalidField(code, path, `must have ${allowed} items, found ${found}`))
}
