/** Reads JSON from outside: what is not an object, or not there, is empty. Pure. */

export type Fields = Readonly<Record<string, unknown>>

/** Null when it is not the JSON of an object. */
export function parseObject(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {}
}

/** Empty also when it is longer than that. */
export function textOf(value: unknown, maxLength = Infinity): string {
  return typeof value === 'string' && value.length <= maxLength ? value : ''
}
