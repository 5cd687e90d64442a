/**
 * Parses times and integers in query parameters of the API. An invalid value is refused with A300, which names
 * the parameter and the expected form.
 */
import { invalidField } from './problem.ts'
import { quote } from './quote.ts'

const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/

/** Parses an ISO 8601 time with an offset. */
export function parseTimeParameter(value: unknown, name: string): Date {
  // A plus sign that was not encoded arrives as a space, and is restored.
  const text = typeof value === 'string' ? value.replace(' ', '+') : ''
  const at = timePattern.test(text) ? Date.parse(text) : NaN
  if (!Number.isNaN(at)) return new Date(at)
  const reason = `must be a time with an offset, such as 2026-11-15T09:00:00%2B09:00, got ${quote(value)}`
  throw invalidField('A300', name, reason)
}

export function parseIntegerParameter(value: unknown, name: string, min: number, max: number): number {
  const number = typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : NaN
  if (number >= min && number <= max) return number
  throw invalidField('A300', name, `must be an integer from ${min} to ${max}, got ${quote(value)}`)
}
