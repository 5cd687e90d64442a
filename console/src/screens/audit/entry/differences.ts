/** Splits the details of an audit row into changed fields and other details. */
export interface Difference {
  readonly field: string
  /** `undefined` if the field was not set. */
  readonly before: unknown
  readonly after: unknown
}

export interface Detail {
  readonly field: string
  readonly value: unknown
}

export interface Details {
  readonly changes: readonly Difference[]
  readonly others: readonly Detail[]
}

type Fields = Readonly<Record<string, unknown>>

/** Protects the page from malformed rows; the gateway already limits their size. */
const maxFields = 500

export function readDetails(details: unknown): Details {
  const changes: Difference[] = []
  const others: Detail[] = []
  const walk = (field: string, value: unknown): void => {
    if (changes.length + others.length >= maxFields) return
    if (isChange(value)) compare(field, value.from, value.to)
    else if (isFields(value) && Object.keys(value).length > 0)
      for (const [name, one] of Object.entries(value)) walk(join(field, name), one)
    else if (field !== '') others.push({ field, value })
  }
  const compare = (field: string, before: unknown, after: unknown): void => {
    if (changes.length >= maxFields || JSON.stringify(before) === JSON.stringify(after)) return
    if (isFields(before) && isFields(after))
      for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
        compare(join(field, name), before[name], after[name])
    else changes.push({ field, before, after })
  }
  walk('', details)
  return { changes, others }
}

/** `from` is absent if the field was not set before. */
function isChange(value: unknown): value is { readonly from?: unknown; readonly to?: unknown } {
  if (!isFields(value)) return false
  const names = Object.keys(value)
  return names.length > 0 && 'to' in value && names.every((name) => name === 'from' || name === 'to')
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function join(field: string, name: string): string {
  return field === '' ? name : `${field}.${name}`
}

export function showValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
