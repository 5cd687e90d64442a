/**
 * Parses JSON objects in requests, limited in size and depth: a value nested too deeply can be parsed but not
 * serialized again.
 */

export type Fields = Readonly<Record<string, unknown>>

const MAX_DEPTH = 32

export function toText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Returns an empty object if the value is not an object. */
export function toObject(value: unknown): Fields {
  return isObject(value) ? value : {}
}

/** Returns the entries of an array as objects, or an empty array. */
export function toObjects(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(toObject) : []
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Ignores brackets inside strings. */
function nestedTooDeeply(json: string): boolean {
  let depth = 0
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === '[' || token === '{') depth++
    else if (token === ']' || token === '}') depth--
    if (depth > MAX_DEPTH) return true
  }
  return false
}

/** Returns undefined if the body is not a JSON object with at least one field, or exceeds a limit. */
export function parseFields(body: Buffer, maxBytes: number): Fields | undefined {
  const source = body.toString('utf8')
  if (body.length > maxBytes || nestedTooDeeply(source)) return undefined
  try {
    const fields = toObject(JSON.parse(source))
    return Object.keys(fields).length === 0 ? undefined : fields
  } catch {
    return undefined
  }
}
