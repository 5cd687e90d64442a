/**
 * Counters since the start or the last reset. Every submit is counted as exactly one of accepted, throttled, refused
 * and abandoned. Rates are counted over whole past seconds, never estimated.
 */

export interface Counters {
  binds: number
  submits: number
  accepted: number
  throttled: number
  refused: number
  /** Submits that ended with a disconnect and were not accepted. */
  abandoned: number
  receiptsSent: number
  /** Receipts that were resent. */
  receiptsRepeated: number
  receiptsAnswered: number
  receiptsPending: number
  /** Sessions that the SMSC closed. */
  disconnects: number
  /** Sessions that it closed because of invalid SMPP. */
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
    disconnects: 0,
    malformed: 0,
  }
}

export interface Meter {
  second: number
  count: number
  lastCount: number
}

export function newMeter(): Meter {
  return { second: 0, count: 0, lastCount: 0 }
}

function turnTo(meter: Meter, second: number): void {
  if (second === meter.second) return
  meter.lastCount = second === meter.second + 1 ? meter.count : 0
  meter.count = 0
  meter.second = second
}

export function mark(meter: Meter, now: number): void {
  turnTo(meter, Math.floor(now / 1000))
  meter.count++
}

/** Number of marks in the last whole second. */
export function perSecond(meter: Meter, now: number): number {
  turnTo(meter, Math.floor(now / 1000))
  return meter.lastCount
}
