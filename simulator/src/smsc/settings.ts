export interface SmscOptions {
  /** Address of the SMPP listener. */
  readonly host: string
  readonly port: number
  readonly controlPort: number
  /** Required at bind. `undefined` accepts any, as for the password. */
  readonly systemId: string | undefined
  readonly password: string | undefined
  readonly receiptDelayMs: number
  readonly lateMs: number
  readonly slowMs: number
  /** Maximum time that the submit response of 0005 waits for the response to its receipt. */
  readonly earlyMs: number
  /** Rate limit in parts per second; 0 for no limit. */
  readonly rate: number
  /** Maximum unanswered receipts per session. */
  readonly window: number
  /** Time after which an unanswered receipt is resent. */
  readonly receiptTimeoutMs: number
  /** Delay before a receipt answered with an error is resent. */
  readonly receiptRetryMs: number
  /** Maximum pending receipts, beyond which submits are refused because the queue is full. */
  readonly maxPending: number
  readonly seed: number | undefined
  /** Number of ids to skip, so that a seeded run continues where another ended. */
  readonly idStart: number
  readonly record: boolean
  readonly recordLimit: number
}

export const defaults: SmscOptions = {
  host: '127.0.0.1',
  port: 0,
  controlPort: 0,
  systemId: undefined,
  password: undefined,
  receiptDelayMs: 0,
  lateMs: 10_000,
  slowMs: 2000,
  earlyMs: 500,
  rate: 0,
  window: 500,
  receiptTimeoutMs: 5000,
  receiptRetryMs: 1000,
  maxPending: 1_000_000,
  seed: undefined,
  idStart: 0,
  record: false,
  recordLimit: 200_000,
}
