/**
 * Counters since the start or the last reset. Each submit increments exactly one of accepted, throttled,
 * refused and abandoned.
 */

export interface Counters {
  binds: number
  submits: number
  accepted: number
  throttled: number
  refused: number
  /** Submits that ended with a disconnect without being accepted. */
  abandoned: number
  receiptsSent: number
  /** Resent receipts. */
  receiptsRepeated: number
  receiptsAnswered: number
  receiptsPending: number
  queries: number
  cancels: number
  /** Sessions closed by the SMSC. */
  disconnects: number
  /** Sessions closed because of invalid SMPP. */
  malformed: number
}

export function newCounters(): Counters {
  return {
    binds: 0,
    submits: 0,
    accepted: 0,
    throttled: 0,
    refused: 0,
    abandoned: 0,
    receiptsSent: 0,
    receiptsRepeated: 0,
    receiptsAnswered: 0,
    receiptsPending: 0,
    queries: 0,
    cancels: 0,
    disconnects: 0,
    malformed: 0,
  }
}
