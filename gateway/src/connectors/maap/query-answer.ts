/** What an answer of the KT relay to querymsgstatus means for the id of the query. Pure; called by the poller. */
import { meaningOf } from '../rcs-codes.ts'
import type { Answer } from './answer.ts'
import type { RelayOptions } from './relay-options.ts'

/** `used`: by an earlier query. `spent`: used, and not given again. `unused`: not used before. */
export type IdState = 'used' | 'spent' | 'unused'

export interface Batch {
  readonly statuses: readonly unknown[]
  readonly hasMore: boolean
}

export interface Problem {
  readonly code: string
  readonly retryAfterMs: number | null
  /** Too many queries: not a fault of the id. */
  readonly isBusy: boolean
}

/** Statuses in one answer. */
const maxStatuses = 10_000
const retriesSpentCode = '79001'
const usedCode = '79007'
const unusedCode = '79011'

/** `again`: the query asked for a batch that was given before. */
export function readQueryAnswer(
  answer: Answer,
  again: boolean,
  codes: RelayOptions['codes'],
): IdState | Batch | Problem {
  const { code, httpStatus, retryAfterMs } = answer
  if (code === retriesSpentCode) return 'spent'
  if (code === usedCode) return again ? 'spent' : 'used'
  // An answer to the first query of an id that the id is not known decides nothing.
  if (code === unusedCode && again) return 'unused'
  const batch = readBatch(answer)
  if (batch !== null) return batch
  const isBusy = httpStatus === 429 || meaningOf(code, codes) === 'throttled'
  return { code: code === '' ? `http:${httpStatus}` : code, retryAfterMs, isBusy }
}

/** Null when the answer has no batch that can be read. Without `statusInfo` it is an empty one. */
function readBatch({ isSuccess, data }: Answer): Batch | null {
  const { moreToSend } = data
  const statuses = data['statusInfo'] ?? []
  if (!isSuccess || !Array.isArray(statuses) || statuses.length > maxStatuses) return null
  return { statuses, hasMore: moreToSend === 1 || moreToSend === '1' }
}
