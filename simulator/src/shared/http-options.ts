/** The settings that all carriers over HTTP have, their defaults and their rows of the command line. */
import { MAX_PORT } from './command-line.ts'
import type { OptionRow } from './command-line.ts'

export interface HttpCarrierOptions {
  readonly host: string
  readonly port: number
  readonly controlPort: number
  /** Longest request body. */
  readonly maxBodyBytes: number
  /** Submits a second beyond which they are throttled; 0 for no limit. */
  readonly rate: number
  readonly receiptDelayMs: number
  /** The same for recipients ending 0015. */
  readonly lateMs: number
  /** The answer for recipients ending 0011. */
  readonly slowMs: number
  /** How long the answer for recipients ending 0005 waits for the acknowledgement of its receipt. */
  readonly earlyMs: number
  /** Receipts posted at the same time. */
  readonly window: number
  readonly receiptTimeoutMs: number
  readonly receiptRetryMs: number
  /** With it, the delay doubles from try to try up to this one. */
  readonly receiptMaxRetryMs?: number
  /** Tries of a receipt before it is given up; 0 for no limit. */
  readonly receiptTries: number
  /** Limit of pending receipts, beyond which submits are throttled. */
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
  { flag: 'host', name: 'host', type: 'text', help: 'interface of the listener' },
  { flag: 'port', name: 'port', type: 'number', max: MAX_PORT, help: 'port; 0 for any free one' },
  {
    flag: 'control-port',
    name: 'controlPort',
    type: 'number',
    max: MAX_PORT,
    help: 'HTTP control, loopback only',
  },
  { flag: 'max-body-bytes', name: 'maxBodyBytes', type: 'number', min: 1, help: 'longest request body' },
  { flag: 'rate', name: 'rate', type: 'number', help: 'submits a second, throttled beyond; 0 for no limit' },
  {
    flag: 'receipt-delay-ms',
    name: 'receiptDelayMs',
    type: 'number',
    help: 'from accepting a message to its receipt',
  },
  { flag: 'late-ms', name: 'lateMs', type: 'number', help: 'the same for recipients ending 0015' },
  { flag: 'slow-ms', name: 'slowMs', type: 'number', help: 'the answer for recipients ending 0011' },
  { flag: 'early-ms', name: 'earlyMs', type: 'number', help: 'longest wait for the early receipt of 0005' },
  { flag: 'window', name: 'window', type: 'number', min: 1, help: 'receipts posted at the same time' },
  {
    flag: 'receipt-timeout-ms',
    name: 'receiptTimeoutMs',
    type: 'number',
    min: 1,
    help: 'then an unanswered receipt is sent again',
  },
  {
    flag: 'receipt-retry-ms',
    name: 'receiptRetryMs',
    type: 'number',
    help: 'from a refused receipt to the next try',
  },
  {
    flag: 'receipt-tries',
    name: 'receiptTries',
    type: 'number',
    help: 'tries of a receipt; 0 for no limit',
  },
  {
    flag: 'max-pending',
    name: 'maxPending',
    type: 'number',
    min: 1,
    help: 'pending receipts before submits are throttled',
  },
  { flag: 'seed', name: 'seed', type: 'number', help: 'the same ids at every run (default: from the clock)' },
  { flag: 'id-start', name: 'idStart', type: 'number', help: 'ids to skip first, for a seeded restart' },
  { flag: 'record-limit', name: 'recordLimit', type: 'number', help: 'submissions kept; 0 for none' },
]
