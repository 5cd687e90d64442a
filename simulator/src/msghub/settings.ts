import { httpDefaults } from '../shared/http-options.ts'
import type { HttpCarrierOptions } from '../shared/http-options.ts'

export interface MsghubOptions extends HttpCarrierOptions {
  readonly apiKey: string
  readonly apiPassword: string
  readonly tokenTtlMs: number
  readonly refreshTtlMs: number
  /** Only registered sender number. `undefined` accepts any. */
  readonly sender: string | undefined
  /** URL for reports. If `undefined`, reports are polled. */
  readonly reportUrl: string | undefined
  /** URL for replies. If `undefined`, replies are polled. */
  readonly replyUrl: string | undefined
  /** Time during which a used client key is refused. */
  readonly duplicateMs: number
  /** Time to acknowledge polled reports before they are returned again. */
  readonly acknowledgeMs: number
  /** Minimum interval after an empty poll. */
  readonly emptyPollMs: number
  /** Lifetime of uploaded files. msghub documents only the expiry in its response. */
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
