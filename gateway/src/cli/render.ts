/** Formats the response of an operation as text: a list as a table, a record as one line per field. */
import { table } from './result.ts'

type Fields = Readonly<Record<string, unknown>>

/** `columns` selects the fields and their order. */
export function renderData(data: unknown, columns?: readonly string[]): string[] {
  if (!isRecord(data)) return [toCell(data)]
  const [value, ...others] = Object.values(data)
  if (others.length === 0 && isListOfRecords(value)) return renderList(value, columns)
  return renderRecord(data, columns)
}

function renderRecord(record: Fields, columns: readonly string[] = Object.keys(record)): string[] {
  const shown = columns.map((name) => [name, record[name]] as const)
  const lists = shown.filter(([, value]) => isListOfRecords(value) && value.length > 0)
  const rows = shown
    .filter((field) => !lists.includes(field))
    .flatMap(([name, value]) => toRows(toTitle(name), value))
  return [
    ...table(rows),
    ...lists.flatMap(([name, items]) => ['', `${toTitle(name)}:`, ...renderList(items as readonly Fields[])]),
  ]
}

/** A record within a record gets one line for each of its fields. */
function toRows(title: string, value: unknown): (readonly string[])[] {
  if (!isRecord(value) || Object.keys(value).length === 0) return [[title, toCell(value)]]
  return Object.entries(value).flatMap(([name, field]) => toRows(`${title} ${toTitle(name)}`, field))
}

function renderList(
  items: readonly Fields[],
  columns: readonly string[] = Object.keys(items[0] ?? {}),
): string[] {
  if (items.length === 0) return ['none']
  return table([columns.map(toTitle), ...items.map((item) => columns.map((name) => toCell(item[name])))])
}

function toCell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(toCell).join(', ')
  if (isRecord(value))
    return Object.entries(value)
      .map(([name, field]) => `${toTitle(name)} ${toCell(field)}`)
      .join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** `partsPerSecond` becomes `parts per second`. */
function toTitle(name: string): string {
  return name.replaceAll(/[A-Z]|\d+/g, ' $&').toLowerCase()
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isListOfRecords(value: unknown): value is readonly Fields[] {
  return Array.isArray(value) && value.every(isRecord)
}
