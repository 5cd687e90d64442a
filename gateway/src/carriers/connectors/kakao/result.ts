/** Converts results in responses and in polled batches to receipts. */
import type { Receipt } from '../connector.ts'
import { readKoreanTime } from '../http/korean-time.ts'
import { asObject, readCodeField, readTextField } from './response.ts'
import { getKakaoMeaning, toReportCode } from './codes.ts'
import type { KakaoOptions } from './options.ts'
import { parseSerialBase } from './serial.ts'
import type { KakaoJson } from './snake-case.ts'

const maxSerialLength = 128

const delivered = { result: 'delivered', cause: 'delivered' } as const
const failed = { result: 'failed', cause: 'failed' } as const

/** Returns null if the result has no serial number. `defaultCode` is the code of a result that states none. */
function polledReceipt(options: KakaoOptions, result: unknown, defaultCode: string): Receipt | null {
  const body = asObject(result)
  const serial = readTextField(body, 'serial_number', maxSerialLength)
  if (serial === '') return null
  const code = readCodeField(body, 'status') || defaultCode
  return toKakaoReceipt(
    options,
    parseSerialBase(serial),
    code,
    readKoreanTime(readTextField(body, 'received_at', 40)),
  )
}

export function toKakaoReceipt(
  options: KakaoOptions,
  carrierId: string,
  code: string,
  at: Date | null,
): Receipt {
  const base = { carrierId, code, recipient: '', sender: '', at }
  const meaning = getKakaoMeaning(options, code)
  switch (meaning) {
    case 'accepted':
      return { ...base, ...delivered }
    // The message can still arrive; only the deadline of the step ends it.
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
 * Reads the results in `{ response: { success, fail } }`; unreadable ones are null. The list decides whether a message was
 * delivered, not the code of the result.
 */
export function polledReceipts(options: KakaoOptions, body: KakaoJson): (Receipt | null)[] {
  const { success, fail } = asObject(body['response'])
  const read = (list: unknown, defaultCode: string): (Receipt | null)[] =>
    Array.isArray(list) ? list.map((entry) => polledReceipt(options, entry, defaultCode)) : []
  return [
    ...read(success, '0000').map((receipt) => receipt && { ...receipt, ...delivered }),
    ...read(fail, 'fail').map((receipt) =>
      receipt?.result === 'delivered' ? { ...receipt, ...failed } : receipt,
    ),
  ]
}
