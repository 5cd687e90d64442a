/**
 * Reports whether a JSON value contains NUL, which PostgreSQL does not store. The value must
 * be shallow, because the function is recursive.
 */
export function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0')
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, inner]) => name.includes('\0') || hasNul(inner))
}
