/**
 * Reads the receipts of a callback by the `receipt` of a profile. What is not a receipt (a reply, a notice of another
 * kind) is counted and acknowledged, so that the carrier does not repeat it for ever. Pure; throws nothing.
 */
import type { Cause } from '../../channels/cause.ts'
import type { Receipt } from '../connector.ts'
import { maxInboundReceipts, type InboundRequest } from '../kind.ts'
import { compileConditions, matches, parseJson } from './answer.ts'
import { parseForm } from '../form.ts'
import { firstTextAt, valueAt } from './pointer.ts'
import type { ReceiptMap, receiptResults } from './profile.ts'

export interface CallbackContent {
  readonly receipts: readonly Receipt[]
  readonly events: readonly string[]
}

export const contentTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded' } as const

/** Returns the media type in lower case, without parameters; empty if the request has none. */
export function contentTypeOf({ headers }: InboundRequest): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()
}

/** Returns null if the body is neither in the format of the profile nor, by its content type, JSON. */
export type ReceiptReader = (request: InboundRequest) => CallbackContent | null

/** `readsQuery`: the query of the address has fields, too. */
export function compileReceipts(map: ReceiptMap, readsQuery: boolean): ReceiptReader {
  const only = compileConditions(map.only ?? {}, 'receipt.only')
  const values = new Map(Object.entries(map.values).map(([word, result]) => [word.toLowerCase(), result]))
  return (request) => {
    const type = request.body.length === 0 ? '' : contentTypeOf(request)
    const isJson = map.encoding === 'json' || type === contentTypes.json
    if (!isJson && !['', contentTypes.form].includes(type)) return null
    const document = isJson ? parseJson(request.body.toString()) : readForm(request, readsQuery)
    if (typeof document !== 'object' || document === null) return null
    const list = map.list === undefined ? [document] : valueAt(document, map.list)
    const events: string[] = []
    const receipts: Receipt[] = []
    // One more than allowed is enough for the registry to refuse the request.
    const items: readonly unknown[] = Array.isArray(list) ? list.slice(0, maxInboundReceipts + 1) : []
    for (const item of items) {
      const status = firstTextAt(item, map.status)
      const carrierId = firstTextAt(item, map.id)
      const reference = firstTextAt(item, map.reference ?? [])
      if (!matches(only, item) || status === '' || (carrierId === '' && reference === '')) {
        events.push('not-a-receipt')
        continue
      }
      const result = values.get(status.toLowerCase())
      if (result === undefined) events.push('unknown-status')
      receipts.push({
        ...describe(map, item, status, result ?? 'pending'),
        carrierId: carrierId === '' ? null : carrierId,
        ...(reference === '' ? {} : { reference }),
      })
    }
    if (items.length === 0) events.push('not-a-receipt')
    return { receipts, events }
  }
}

function describe(
  map: ReceiptMap,
  item: unknown,
  status: string,
  result: (typeof receiptResults)[number],
): Omit<Receipt, 'carrierId'> {
  const code = firstTextAt(item, map.code ?? [])
  return {
    result,
    cause: result === 'delivered' ? 'delivered' : causeOf(map, code, status),
    code: code === '' ? status : `${status}:${code}`,
    recipient: firstTextAt(item, map.recipient ?? []),
    sender: '',
    at: readTime(firstTextAt(item, map.at ?? [])),
  }
}

function causeOf({ errors }: ReceiptMap, code: string, status: string): Cause {
  for (const key of [code, status]) if (key !== '' && Object.hasOwn(errors, key)) return errors[key]!
  return 'failed'
}

/** Fields of the query and of the body; of several with one name the first in the body. Null when there are too many. */
function readForm(
  { query, body }: InboundRequest,
  readsQuery: boolean,
): Readonly<Record<string, string>> | null {
  const form = parseForm(body)
  if (form === null) return null
  const fields = new Map<string, string>()
  for (const [name, value] of [...form, ...(readsQuery ? query : [])])
    if (!fields.has(name)) fields.set(name, value)
  return Object.fromEntries(fields)
}

/** Without a zone it is not known which time is meant: null. */
function readTime(text: string): Date | null {
  if (/^\d{10}$/.test(text)) return new Date(Number(text) * 1_000)
  if (/^\d{13}$/.test(text)) return new Date(Number(text))
  if (text.length > 40 || !/^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:?\d\d)$/.test(text)) return null
  const at = new Date(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
  return Number.isNaN(at.getTime()) ? null : at
}
