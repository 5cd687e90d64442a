/** PostgreSQL stores no NUL, and an error of it would look like a defect of the gateway. JSON is at most a few levels deep here. Pure. */
export function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0')
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, inner]) => name.includes('\0') || hasNul(inner))
}
