/**
 * Sends enquire_link at regular intervals and reports a carrier that does not respond.
 *
 * Any received PDU restarts the timeout, because the response can be late behind many others. Time in which reading was
 * paused does not count, so that our own back-pressure never ends a session.
 */
export interface KeepalivePeer {
  enquire(): void
  /** Returns the number of PDUs received so far. */
  received(): number
  /** Returns milliseconds of a clock that stops while reading is paused. */
  clock(): number
  onTimeout(): void
}

export class Keepalive {
  readonly #intervalMs: number
  readonly #timeoutMs: number
  readonly #peer: KeepalivePeer
  #timer: NodeJS.Timeout | undefined
  #stopped = false
  #enquired = false
  #enquiredAt = 0
  #receivedBefore = 0

  constructor(intervalMs: number, timeoutMs: number, peer: KeepalivePeer) {
    this.#intervalMs = intervalMs
    this.#timeoutMs = timeoutMs
    this.#peer = peer
  }

  /** Starts the next interval. Called again after each response. */
  start(): void {
    if (this.#stopped) return
    this.#enquired = false
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#enquire(), this.#intervalMs)
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  #enquire(): void {
    this.#enquired = true
    this.#peer.enquire()
    this.#wait()
  }

  #wait(): void {
    this.#enquiredAt = this.#peer.clock()
    this.#receivedBefore = this.#peer.received()
    this.#check(this.#timeoutMs)
  }

  #check(delayMs: number): void {
    // Evaluate one event loop turn after the timer, so that PDUs already in the socket are read first.
    this.#timer = setTimeout(() => setImmediate(() => this.#evaluate()), Math.max(delayMs, 5))
  }

  #evaluate(): void {
    // If the response arrived between the timer and this turn, the next interval is already running.
    if (this.#stopped || !this.#enquired) return
    if (this.#peer.received() > this.#receivedBefore) return this.#wait()
    const untilTimeoutMs = this.#enquiredAt + this.#timeoutMs - this.#peer.clock()
    if (untilTimeoutMs > 0) this.#check(untilTimeoutMs)
    else this.#peer.onTimeout()
  }
}
