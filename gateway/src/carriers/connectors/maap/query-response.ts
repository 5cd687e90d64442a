/** Interprets a response of the KT relay to querymsgstatus for the id of the query. */
import { findRcsMeaning } from '../rcs-codes.ts'
import type { MaapResponse } from './response.ts'
import type { RelayOptions } from './relay-options.ts'

/** `used`: by an earlier query. `spent`: used, and not returned again. `unused`: not used yet. */
export type IdState = 'used' | 'spent' | 'unused'

export interface StatusBatch {
  readonly statuses: readonly unknown[]
  readonly hasMore: boolean
}

export interface QueryProblem {
  readonly code: string
  readonly retryAfterMs: number | null
  /** Whether the relay reports too many queries, which is not a problem of the id. */
  readonly isBusy: boolean
}

/** Maximum number of statuses in one response. */
const maxStatuses = 10_000
const retriesSpentCode = '79001'
const usedCode = '79007'
const unusedCode = '79011'

/** `isRepeat`: the query requested the batch of an earlier query with the same id. */
export function parseQueryResponse(
  answer: MaapResponse,
  isRepeat: boolean,
  codes: RelayOptions['codes'],
): IdState | StatusBatch | QueryProblem {
  const { code, httpStatus, retryAfterMs } = answer
  if (code === retriesSpentCode) return 'spent'
  if (code === usedCode) return isRepeat ? 'spent' : 'used'
  // In response to the first query of an id, this code has no meaning and counts as a failure.
  if (code === unusedCode && isRepeat) return 'unused'
  const batch = readBatch(answer)
  if (batch !== null) return batch
  const isBusy = httpStatus === 429 || findRcsMeaning(code, codes) === 'throttled'
  return { code: code === '' ? `http:${httpStatus}` : code, retryAfterMs, isBusy }
}

/** Returns null if the response has no readable batch. Without `statusInfo` the batch is empty. */
function readBatch({ isSuccess, data }: MaapResponse): StatusBatch | null {
  const { moreToSend } = data
  const statuses = data['statusInfo'] ?? []
  if (!isSuccess || !Array.isArray(statuses) || statuses.length > maxStatuses) return null
  return { statuses, hasMore: moreToSend === 1 || moreToSend === '1' }
}
