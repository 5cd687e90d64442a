/** Lists the result codes of each operation, for the reference. */
import { channels } from '../../../channels/registry.ts'
import type { ChannelName } from '../../../channels/channel.ts'
import { resultCodes, type ResultCode, type ResultCodeEntry } from '../../../contract/result-codes.ts'
import type { Operation } from './operation.ts'
import { idempotencyKey } from './parameters.ts'

/** Codes of trust rules, which an operator enables. */
const trust: readonly ResultCode[] = ['A322', 'A323', 'A324', 'A327', 'A340', 'A341', 'A343', 'A344', 'A345']
const text: readonly ResultCode[] = ['A302', 'A303', 'A304', 'A305', 'A306', 'A328', ...trust]
const fallback: readonly ResultCode[] = ['A217', 'A302', 'A312', 'A314', 'A317', 'A329']
const kakao: readonly ResultCode[] = [
  ...fallback,
  'A303',
  'A304',
  'A305',
  'A306',
  'A328',
  'A502',
  'A503',
  'A523',
  'A524',
  'A525',
  ...trust,
]

/** Codes of the send operation of each channel. */
export const sendCodes: Readonly<Record<ChannelName, readonly ResultCode[]>> = {
  sms: text,
  mms: [...text, 'A217', 'A319'],
  international: [...text, 'A321', 'A342'],
  // Images must have the size of the format and together stay below its byte limit.
  rcs: [...text, ...fallback, 'A200', 'A203', ...between('A404', 'A408'), ...between('A411', 'A434')],
  alimtalk: [...kakao, 'A505', 'A565'],
  friendtalk: [...kakao, 'A200', 'A203', 'A513'],
  brandmessage: [...kakao, 'A200', 'A203', 'A505', 'A513', 'A569', 'A570', 'A571'],
}

/** Codes of a message flow that `sendCodes` does not have. */
const flowCodes: readonly ResultCode[] = [
  'A409',
  'A506',
  'A521',
  'A559',
  'A560',
  'A561',
  'A562',
  'A563',
  'A564',
  'A567',
  'A568',
  'A573',
]

export const omniCodes: readonly ResultCode[] = [
  ...Object.entries(sendCodes).flatMap(([name, codes]) => (name === 'international' ? text : codes)),
  ...flowCodes,
  'A250',
  'A310',
  'A318',
  'A407',
]

/** Registering a form checks only the shape of its entries. */
export const formCodes: readonly ResultCode[] = [
  ...Object.values(channels).flatMap(({ entry, fieldCodes }) =>
    entry === null ? [] : Object.values(fieldCodes),
  ),
  'A328',
]

/** Returns the result codes in a range. */
function between(first: ResultCode, last: ResultCode): ResultCode[] {
  return Object.values(resultCodes)
    .map(({ code }) => code)
    .filter((code) => code >= first && code <= last)
}

/**
 * Returns the codes of an operation by HTTP status, in the order of the table of result codes. Statuses come
 * from that table, except for two that HTTP requires: 404 (no such path) and 415 (wrong content type).
 */
export function codesByStatus(operation: Operation): Map<number, ResultCodeEntry[]> {
  const byStatus = new Map<number, ResultCodeEntry[]>()
  const codes = new Set<ResultCode>([...operation.codes, ...commonCodes(operation)])
  for (const entry of Object.values(resultCodes)) {
    if (codes.has(entry.code)) add(entry.status, entry)
  }
  const wrongRequest = resultCodes.A300
  if (operation.body?.contentType === 'application/json') add(415, wrongRequest)
  // An empty path parameter makes another path.
  if (operation.parameters?.some((parameter) => parameter.in === 'path')) add(404, wrongRequest)
  return new Map([...byStatus].sort(([left], [right]) => left - right))

  function add(status: number, entry: ResultCodeEntry): void {
    byStatus.set(status, [...(byStatus.get(status) ?? []), entry])
  }
}

function commonCodes({ open, body, parameters = [] }: Operation): ResultCode[] {
  const codes: ResultCode[] = ['A920', 'A999']
  if (!open) codes.push('A001', 'A002', 'A020', 'A110', 'A113')
  if (body?.contentType === 'application/json') codes.push('A010', 'A011', 'A300')
  if (parameters.includes(idempotencyKey)) codes.push('A021', 'A022')
  if (parameters.some((parameter) => parameter.in === 'path')) codes.push('A300')
  return codes
}
