/** Converts results in responses and in polled batches to receipts. */
import type { Receipt } from '../connector.ts'
import { readKoreanTime } from '../korean-time.ts'
import { asObject, codeIn, textIn } from './answer.ts'
import { meaningOf, toReportCode } from './codes.ts'
import type { KakaoOptions } from './options.ts'
import { baseOf } from './serial.ts'
import type { Json } from './snake-case.ts'

const maxSerialLength = 128

const delivered = { result: 'delivered', cause: 'delivered' } as const
const failed = { result: 'failed', cause: 'failed' } as const

/** Returns null if the result has no serial number. `missing` replaces a missing code. */
function polledReceipt(options: KakaoOptions, result: unknown, missing: string): Receipt | null {
  const body = asObject(result)
  const serial = textIn(body, 'serial_number', maxSerialLength)
  if (serial === '') return null
  const code = codeIn(body, 'status') || missing
  return receiptOf(options, baseOf(serial), code, readKoreanTime(textIn(body, 'received_at', 40)))
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
    Array.isArray(list) ? list.map((entry) => polledReceipt(options, entry, missing)) : []
  return [
    ...read(success, '0000').map((receipt) => receipt && { ...receipt, ...delivered }),
    ...read(fail, 'fail').map((receipt) =>
      receipt?.result === 'delivered' ? { ...receipt, ...failed } : receipt,
    ),
  ]
}
