/** Results that Kakao pushes or hands out in batches, as receipts. Pure. */
import type { Receipt } from '../connector.ts'
import { readKoreanTime } from '../korean-time.ts'
import { asObject, codeIn, textIn } from './answer.ts'
import { meaningOf, toReportCode } from './codes.ts'
import type { KakaoOptions } from './options.ts'
import { baseOf } from './serial.ts'
import type { Json } from './snake-case.ts'

const maxSerialLength = 128

export interface ResultFields {
  readonly serial: string
  readonly code: string
  readonly at: string
}

const delivered = { result: 'delivered', cause: 'delivered' } as const
const failed = { result: 'failed', cause: 'failed' } as const

const polledFields: ResultFields = { serial: 'serial_number', code: 'status', at: 'received_at' }

/** Null when it names no message or no code. `missing` is the code of a result without one. */
export function toReceipt(
  options: KakaoOptions,
  result: unknown,
  fields: ResultFields,
  missing = '',
): Receipt | null {
  const body = asObject(result)
  const serial = textIn(body, fields.serial, maxSerialLength)
  const code = codeIn(body, fields.code) || missing
  if (serial === '' || code === '') return null
  return receiptOf(options, baseOf(serial), code, readKoreanTime(textIn(body, fields.at, 40)))
}

export function receiptOf(options: KakaoOptions, carrierId: string, code: string, at: Date | null): Receipt {
  const base = { carrierId, code, recipient: '', sender: '', at }
  const meaning = meaningOf(options, code)
  switch (meaning) {
    case 'accepted':
      return { ...base, ...delivered }
    // It may still arrive: only the deadline of the step ends it.
    case 'unknown':
    case 'duplicate':
      return { ...base, result: 'pending', cause: 'temporary-failure' }
    case 'unreachable':
    case 'throttled':
      return { ...base, result: 'failed', cause: 'temporary-failure' }
    case 'account':
      return { ...base, ...failed }
    default:
      return { ...base, result: 'failed', cause: meaning, reportCode: toReportCode(code) }
  }
}

/**
 * Those of `{ response: { success, fail } }`; null in place of each that cannot be read. The list decides whether a message
 * was delivered, whatever the code beside it.
 */
export function polledReceipts(options: KakaoOptions, body: Json): (Receipt | null)[] {
  const { success, fail } = asObject(body['response'])
  const read = (list: unknown, missing: string): (Receipt | null)[] =>
    Array.isArray(list) ? list.map((entry) => toReceipt(options, entry, polledFields, missing)) : []
  return [
    ...read(success, '0000').map((receipt) => receipt && { ...receipt, ...delivered }),
    ...read(fail, 'fail').map((receipt) =>
      receipt?.result === 'delivered' ? { ...receipt, ...failed } : receipt,
    ),
  ]
}
