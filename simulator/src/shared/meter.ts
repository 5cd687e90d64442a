/** Counts events in the last whole second. */

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

/** Returns the number of marks in the last whole second. */
export function perSecond(meter: Meter, now: number): number {
  turnTo(meter, Math.floor(now / 1000))
  return meter.lastCount
}
