/** The job of the load generator, and its result. */
export type SendName = 'sms' | 'omni'

export interface LoadJob {
  readonly send: SendName
  readonly port: number
  readonly token: string
  readonly connections: number
  /** It stops at whichever comes first. */
  readonly requests: number
  readonly milliseconds: number
  /** Number of the first request: recipient and ref are derived from it, so that no two are equal. */
  readonly firstNumber: number
}

export interface LoadResult {
  /** Answers with code A000. */
  readonly accepted: number
  readonly refused: number
  readonly firstRefusal: string | null
  /** Milliseconds since the epoch: the first request written, the last answer read. */
  readonly startedAt: number
  readonly endedAt: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export type LoadAnswer = { readonly result: LoadResult } | { readonly failure: string }
