/** Job of the load generator and its result. */
export type SendName = 'sms' | 'omni'

export interface LoadJob {
  readonly send: SendName
  readonly port: number
  readonly token: string
  readonly connections: number
  /** Stops at this number of requests or after `milliseconds`, whichever comes first. */
  readonly requests: number
  readonly milliseconds: number
  /** Number of the first request, from which unique recipients and refs are derived. */
  readonly firstNumber: number
}

export interface LoadResult {
  /** Responses with code A000. */
  readonly accepted: number
  readonly refused: number
  readonly firstRefusal: string | null
  /** Milliseconds since the epoch, from the first request written to the last response read. */
  readonly startedAt: number
  readonly endedAt: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export type LoadOutcome = { readonly result: LoadResult } | { readonly failure: string }
