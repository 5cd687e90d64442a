/**
 * Asks the carrier at regular intervals whether it is still there (enquire_link) and tells when it is not.
 *
 * Any PDU counts as a sign of life: behind a long queue of responses the answer to our question may come
 * late. Time in which we did not listen does not count, so back-pressure of our own never ends a session.
 */
export interface KeepalivePeer {
  ask(): void
  /** PDUs received so far. */
  received(): number
  /** Milliseconds on a clock that stands still while we do not listen. */
  clock(): number
  onSilence(): void
}

export class Keepalive {
  readonly #intervalMs: number
  readonly #timeoutMs: number
  readonly #peer: KeepalivePeer
  #timer: NodeJS.Timeout | undefined
  #stopped = false
  #asked = false
  #askedAt = 0
  #heard = 0

  constructor(intervalMs: number, timeoutMs: number, peer: KeepalivePeer) {
    this.#intervalMs = intervalMs
    this.#timeoutMs = timeoutMs
    this.#peer = peer
  }

  /** Begins, and begins again after each answer. */
  start(): void {
    if (this.#stopped) return
    this.#asked = false
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#ask(), this.#intervalMs)
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  #ask(): void {
    this.#asked = true
    this.#peer.ask()
    this.#wait()
  }

  #wait(): void {
    this.#askedAt = this.#peer.clock()
    this.#heard = this.#peer.received()
    this.#check(this.#timeoutMs)
  }

  #check(delayMs: number): void {
    // One turn after the timer, so that what already lies in the socket is read first.
    this.#timer = setTimeout(() => setImmediate(() => this.#judge()), Math.max(delayMs, 5))
  }

  #judge(): void {
    // The answer may have come between the timer and this turn; then the next interval runs already.
    if (this.#stopped || !this.#asked) return
    if (this.#peer.received() > this.#heard) return this.#wait()
    const left = this.#askedAt + this.#timeoutMs - this.#peer.clock()
    if (left > 0) this.#check(left)
    else this.#peer.onSilence()
  }
}
