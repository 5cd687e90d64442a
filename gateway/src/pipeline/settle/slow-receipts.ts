/**
 * Limits the receipts that wait in memory although their attempt should have been recorded by now. A waiting receipt
 * keeps its delivery unacknowledged, and the broker limits those: without a limit, 27 receipts a second that
 * match nothing, from one carrier, stop the settlement of all. Beyond the limit of its route a receipt is stored at once
 * and matched from there two seconds later. Called by settle.
 */
const maxPerRoute = 16
/** Half of the deliveries that settle may hold. */
const maxInAll = 32

export class SlowReceipts {
  readonly #byRoute = new Map<string, number>()
  #count = 0

  /** The route has more receipts without an attempt than usual; another one is not worth waiting for. */
  isFull(routeId: string): boolean {
    return (this.#byRoute.get(routeId) ?? 0) >= maxPerRoute
  }

  /** False when it must not wait; otherwise call `leave` afterwards. */
  enter(routeId: string): boolean {
    if (this.isFull(routeId) || this.#count >= maxInAll) return false
    this.#byRoute.set(routeId, (this.#byRoute.get(routeId) ?? 0) + 1)
    this.#count++
    return true
  }

  leave(routeId: string): void {
    const left = this.#byRoute.get(routeId)! - 1
    if (left === 0) this.#byRoute.delete(routeId)
    else this.#byRoute.set(routeId, left)
    this.#count--
  }
}
