/**
 * JSON of any depth, which another program may publish. `JSON.parse` reads any depth, but `JSON.stringify`
 * overflows the stack at some thousand levels.
 */

/** Like `JSON.stringify`, for a result of `JSON.parse` of any depth. */
export function stringifyNested(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  const written: string[] = []
  const pending: Token[] = [{ value }]
  for (let token = pending.pop(); token !== undefined; token = pending.pop()) {
    if (typeof token === 'string') written.push(token)
    else if (typeof token.value !== 'object' || token.value === null)
      written.push(JSON.stringify(token.value))
    else for (const inner of toTokens(token.value).reverse()) pending.push(inner)
  }
  return written.join('')
}

/** Reports whether objects and arrays are nested more than `levels` deep. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key]
    if (typeof inner === 'object' && inner !== null && isDeeperThan(inner, levels - 1)) return true
  }
  return false
}

/** A piece of JSON, or a value that is still to be written. */
type Token = string | { readonly value: unknown }

function toTokens(value: object): Token[] {
  if (Array.isArray(value)) {
    return ['[', ...value.flatMap((item: unknown, n): Token[] => [n === 0 ? '' : ',', { value: item }]), ']']
  }
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return [
    '{',
    ...fields.flatMap(([name, field], n): Token[] => [
      `${n === 0 ? '' : ','}${JSON.stringify(name)}:`,
      { value: field as unknown },
    ]),
    '}',
  ]
}
