export interface MessageSearch {
  readonly account?: string
  readonly ref?: string
  readonly code?: string
  readonly state?: 'open' | 'closed'
  /** Times are UTC in ISO 8601. */
  readonly from?: string
  readonly until?: string
}

const maxLengths = { account: 200, ref: 200, code: 20 } as const

/** Ignores invalid values, because a URL may be typed by hand. */
export function readMessageSearch(given: Readonly<Record<string, unknown>>): MessageSearch {
  const { account, ref, code, state, from, until } = given
  return {
    ...optional('account', readText(account, maxLengths.account)),
    ...optional('ref', readText(ref, maxLengths.ref)),
    ...optional('code', readText(code, maxLengths.code)),
    ...(state === 'open' || state === 'closed' ? { state } : {}),
    ...optional('from', readTime(from)),
    ...optional('until', readTime(until)),
  }
}

function optional<Name extends string>(name: Name, value: string | undefined): { [Key in Name]?: string } {
  return value === undefined ? {} : ({ [name]: value } as { [Key in Name]: string })
}

/** Accepts numbers, because the router parses a numeric code as one. */
function readText(value: unknown, maxLength: number): string | undefined {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  return text === '' || text.length > maxLength ? undefined : text
}

function readTime(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 40) return undefined
  const ms = Date.parse(value)
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}

/** Returns the value of `<input type="datetime-local">` in the time zone of the browser. */
export function toLocalInput(iso: string | undefined): string {
  if (iso === undefined) return ''
  const at = new Date(iso)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}

export function fromLocalInput(local: string): string | undefined {
  const ms = local === '' ? NaN : new Date(local).getTime()
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}

export type SearchInput =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'msgKey'; readonly msgKey: string }
  | { readonly kind: 'number'; readonly number: string }
  | { readonly kind: 'ref'; readonly ref: string }

/**
 * Recognises a msgKey with spaces or in lower case. Text that looks like a phone number is reported as such and must not become
 * part of the URL, unless the operator searches for it as a ref.
 */
export function readTyped(text: string): SearchInput {
  const typed = text.trim()
  if (typed === '') return { kind: 'nothing' }
  const key = typed.replaceAll(/\s/g, '').toUpperCase()
  if (/^\d{17}[0-9A-Z]{15}$/.test(key)) return { kind: 'msgKey', msgKey: key }
  const digits = typed.replaceAll(/[\s().-]/g, '')
  if (/^\+?\d{8,15}$/.test(digits)) return { kind: 'number', number: digits }
  return { kind: 'ref', ref: typed.slice(0, maxLengths.ref) }
}

/** Masks all but the last four digits. Unlike the API, it shows a number of up to four digits. */
export function maskNumber(number: string): string {
  return '*'.repeat(Math.max(0, number.length - 4)) + number.slice(-4)
}
