/** Settings of the msghub simulator and their defaults, for the command line and for tests. */
import { httpDefaults } from '../shared/http-options.ts'
import type { HttpCarrierOptions } from '../shared/http-options.ts'

export interface MsghubOptions extends HttpCarrierOptions {
  readonly apiKey: string
  readonly apiPassword: string
  readonly tokenTtlMs: number
  readonly refreshTtlMs: number
  /** The only registered sender number. `undefined` accepts any. */
  readonly sender: string | undefined
  /** Receives the reports. If `undefined`, reports are polled. */
  readonly reportUrl: string | undefined
  /** Receives replies. If `undefined`, replies are polled. */
  readonly replyUrl: string | undefined
  /** How long a client key is refused after its first use. */
  readonly duplicateMs: number
  /** Time to acknowledge polled reports before they are returned again. */
  readonly acknowledgeMs: number
  /** Shortest time from an empty poll to the next one. */
  readonly emptyPollMs: number
  /** Lifetime of an uploaded file. msghub states only the expiry in its response. */
  readonly fileTtlMs: number
}

export const defaults: MsghubOptions = {
  ...httpDefaults,
  receiptRetryMs: 10_000,
  apiKey: 'trial',
  apiPassword: 'trial-password',
  tokenTtlMs: 3_600_000,
  refreshTtlMs: 90_000_000,
  sender: undefined,
  reportUrl: undefined,
  replyUrl: undefined,
  duplicateMs: 600_000,
  acknowledgeMs: 120_000,
  emptyPollMs: 10_000,
  fileTtlMs: 604_800_000,
}
