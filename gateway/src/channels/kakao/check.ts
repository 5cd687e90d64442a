/**
 * Basic checks of all Kakao objects. Each issue has the caller's code and path and names the limit and the
 * actual value. An empty string counts as absent: a placeholder can be replaced by one.
 */
import { invalidField } from '../../contract/problem.ts'
import type { ResultCode } from '../../contract/result-codes.ts'
import type { Issues } from '../issues.ts'
import { normalizeText } from '../text/normalize.ts'

export function isEmptyText(value: string | undefined): boolean {
  return value === undefined || value === ''
}

export function requireValue(
  value: string | undefined,
  code: ResultCode,
  path: string,
  issues: Issues,
  reason?: string,
): void {
  if (!isEmptyText(value)) return
  issues.add(invalidField(code, path, reason ?? (value === '' ? 'must not be empty' : 'is required')))
}

export function limitText(
  value: string | undefined,
  max: number,
  code: ResultCode,
  path: string,
  issues: Issues,
): void {
  if (value === undefined) return
  const length = normalizeText(value).length
  if (length > max) issues.add(invalidField(code, path, `must be at most ${max} characters, found ${length}`))
}

export function requireText(
  value: string | undefined,
  max: number,
  code: ResultCode,
  path: string,
  issues: Issues,
): void {
  requireValue(value, code, path, issues)
  limitText(value, max, code, path, issues)
}

export function limitCount(
  found: number,
  range: { readonly min?: number; readonly max: number },
  code: ResultCode,
  path: string,
  issues: Issues,
): void {
  const { min = 0, max } = range
  if (found >= min && found <= max) return
  const allowed = min === 0 ? `at most ${max}` : `${min} to ${max}`
  issues.add(invalidField(code, path, `must have ${allowed} items, found ${found}`))
}
