/**
 * JSON Pointer (RFC 6901), and the text that is at one in an answer or a receipt. Reads own properties only, and never
 * more than `maxTextLength` characters. Pure.
 */

/** Of a value that a profile reads. Ids have at most 128 characters; patterns run on this much. */
export const maxTextLength = 512

export const pointerPattern = '^(?:body|(?:/(?:[^~/]|~[01])*)+)$'

/** `body` is the whole document. Undefined when there is nothing. */
export function valueAt(document: unknown, pointer: string): unknown {
  if (pointer === 'body') return document
  let at = document
  for (const part of pointer.slice(1).split('/')) {
    if (typeof at !== 'object' || at === null) return undefined
    const name = part.includes('~') ? part.replaceAll('~1', '/').replaceAll('~0', '~') : part
    if (!Object.hasOwn(at, name)) return undefined
    at = (at as Readonly<Record<string, unknown>>)[name]
  }
  return at
}

/** Empty for nothing and null; an object is `{}` and a list `[]`, so that a pattern can ask whether there is one. */
export function textAt(document: unknown, pointer: string): string {
  const value = valueAt(document, pointer)
  switch (typeof value) {
    case 'string':
      return value.slice(0, maxTextLength).trim()
    case 'number':
    case 'boolean':
      return String(value)
    case 'object':
      return value === null ? '' : Array.isArray(value) ? '[]' : '{}'
    default:
      return ''
  }
}

/** The first of the texts that is not empty. */
export function firstTextAt(document: unknown, pointers: readonly string[]): string {
  for (const pointer of pointers) {
    const text = textAt(document, pointer)
    if (text !== '') return text
  }
  return ''
}
