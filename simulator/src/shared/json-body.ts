/**
 * Reads a JSON object from a request, bounded in size and in depth: what is nested too deeply could be parsed but not
 * written out again. All carriers with JSON use it.
 */

export type Fields = Readonly<Record<string, unknown>>

const MAX_DEPTH = 32

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Empty when the value is not an object. */
export function objectOf(value: unknown): Fields {
  return isObject(value) ? value : {}
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The depth of brackets outside strings. */
function nestedTooDeeply(json: string): boolean {
  let depth = 0
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === '[' || token === '{') depth++
    else if (token === ']' || token === '}') depth--
    if (depth > MAX_DEPTH) return true
  }
  return false
}

/** The fields of the body, or undefined when it is not an object with fields within the limits. */
export function fieldsOf(body: Buffer, maxBytes: number): Fields | undefined {
  const source = body.toString('utf8')
  if (body.length > maxBytes || nestedTooDeeply(source)) return undefined
  try {
    const fields = objectOf(JSON.parse(source))
    return Object.keys(fields).length === 0 ? undefined : fields
  } catch {
    return undefined
  }
}
