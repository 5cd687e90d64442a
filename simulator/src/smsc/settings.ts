/** The settings of the SMSC and their defaults, for the command line and for tests. */

export interface SmscOptions {
  /** Interface of the SMPP listener. */
  readonly host: string
  readonly port: number
  readonly controlPort: number
  /** Checked at bind when given; otherwise any is accepted. */
  readonly systemId: string | undefined
  readonly password: string | undefined
  readonly receiptDelayMs: number
  readonly lateMs: number
  readonly slowMs: number
  /** How long the submit response waits for the answer to a receipt that was sent before it. */
  readonly earlyMs: number
  /** Parts a second beyond which submits are throttled; 0 for no limit. */
  readonly rate: number
  /** Unanswered receipts a session may have. */
  readonly window: number
  /** An unanswered receipt is sent again after this. */
  readonly receiptTimeoutMs: number
  /** A receipt answered with an error is sent again after this. */
  readonly receiptRetryMs: number
  /** Limit of pending receipts, beyond which submits are refused: the queue is full. */
  readonly maxPending: number
  readonly seed: number | undefined
  /** Number of ids to skip: a seeded run continues where another ended. */
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
