/** Settings shared by all HTTP carriers, with their defaults and command-line options. */
import { MAX_PORT } from './command-line.ts'
import type { OptionRow } from './command-line.ts'

export interface HttpCarrierOptions {
  readonly host: string
  readonly port: number
  readonly controlPort: number
  /** Maximum size of a request body. */
  readonly maxBodyBytes: number
  /** Rate limit in submits per second; 0 for no limit. */
  readonly rate: number
  readonly receiptDelayMs: number
  /** Receipt delay for recipients ending in 0015. */
  readonly lateMs: number
  /** Response delay for recipients ending in 0011. */
  readonly slowMs: number
  /**
   * Maximum time that the response for recipients ending in 0005 waits for the acknowledgement of its
   * receipt.
   */
  readonly earlyMs: number
  /** Maximum receipts posted concurrently. */
  readonly window: number
  readonly receiptTimeoutMs: number
  readonly receiptRetryMs: number
  /** Maximum delay of the exponential backoff. Without it, the delay is constant. */
  readonly receiptMaxRetryMs?: number
  /** Attempts to post a receipt before it is abandoned; 0 for no limit. */
  readonly receiptTries: number
  /** Maximum pending receipts, beyond which submits are throttled. */
  readonly maxPending: number
  readonly seed: number | undefined
  readonly idStart: number
  readonly recordLimit: number
}

export const httpDefaults: HttpCarrierOptions = {
  host: '127.0.0.1',
  port: 0,
  controlPort: 0,
  maxBodyBytes: 2_097_152,
  rate: 0,
  receiptDelayMs: 0,
  lateMs: 10_000,
  slowMs: 2000,
  earlyMs: 500,
  window: 50,
  receiptTimeoutMs: 5000,
  receiptRetryMs: 1000,
  receiptTries: 0,
  maxPending: 100_000,
  seed: undefined,
  idStart: 0,
  recordLimit: 10_000,
}

export const httpRows: readonly OptionRow<HttpCarrierOptions>[] = [
  { flag: 'host', name: 'host', type: 'text', help: 'address of the listener' },
  { flag: 'port', name: 'port', type: 'number', max: MAX_PORT, help: 'port; 0 for any free one' },
  {
    flag: 'control-port',
    name: 'controlPort',
    type: 'number',
    max: MAX_PORT,
    help: 'port of the HTTP control, on loopback only',
  },
  {
    flag: 'max-body-bytes',
    name: 'maxBodyBytes',
    type: 'number',
    min: 1,
    help: 'maximum size of a request body',
  },
  { flag: 'rate', name: 'rate', type: 'number', help: 'limit in submits per second; 0 for no limit' },
  {
    flag: 'receipt-delay-ms',
    name: 'receiptDelayMs',
    type: 'number',
    help: 'delay from accepting a message to its receipt',
  },
  { flag: 'late-ms', name: 'lateMs', type: 'number', help: 'receipt delay for recipients ending in 0015' },
  { flag: 'slow-ms', name: 'slowMs', type: 'number', help: 'response delay for recipients ending in 0011' },
  { flag: 'early-ms', name: 'earlyMs', type: 'number', help: 'maximum wait of 0005 for its early receipt' },
  { flag: 'window', name: 'window', type: 'number', min: 1, help: 'maximum receipts posted concurrently' },
  {
    flag: 'receipt-timeout-ms',
    name: 'receiptTimeoutMs',
    type: 'number',
    min: 1,
    help: 'time after which an unanswered receipt counts as refused',
  },
  {
    flag: 'receipt-retry-ms',
    name: 'receiptRetryMs',
    type: 'number',
    help: 'delay before a refused receipt is resent',
  },
  {
    flag: 'receipt-tries',
    name: 'receiptTries',
    type: 'number',
    help: 'maximum attempts to post a receipt; 0 for no limit',
  },
  {
    flag: 'max-pending',
    name: 'maxPending',
    type: 'number',
    min: 1,
    help: 'maximum pending receipts; then submits are throttled',
  },
  { flag: 'seed', name: 'seed', type: 'number', help: 'seed of repeatable ids (default: from the clock)' },
  {
    flag: 'id-start',
    name: 'idStart',
    type: 'number',
    help: 'ids to skip at the start, for a seeded restart',
  },
  {
    flag: 'record-limit',
    name: 'recordLimit',
    type: 'number',
    help: 'maximum number of submissions kept; 0 for none',
  },
]
