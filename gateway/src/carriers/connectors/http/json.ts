/** Reads untrusted JSON without throwing: missing or mistyped values become empty. */

export type JsonFields = Readonly<Record<string, unknown>>

/** Returns null unless the text is a JSON object. */
export function parseObject(text: string): JsonFields | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

export function isObject(value: unknown): value is JsonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function toFields(value: unknown): JsonFields {
  return isObject(value) ? value : {}
}

/** Returns an empty string for other types and for strings longer than `maxLength`. */
export function readString(value: unknown, maxLength = Infinity): string {
  return typeof value === 'string' && value.length <= maxLength ? value : ''
}
