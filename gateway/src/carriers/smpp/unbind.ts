/**
 * Ends a session gracefully: waits for open submissions and deliveries, then sends unbind or responds to the carrier's
 * unbind. Every wait has a limit, so an unresponsive carrier cannot keep the session open.
 */
export interface UnbindPeer {
  /** Returns whether no submission and no delivery is open. */
  drained(): boolean
  unbind(): void
  answerUnbind(sequence: number): void
  close(reason: string): void
}

/** Minimum time for the carrier's response to unbind. */
const minResponseMs = 500

export class Unbind {
  #unbindTimeoutMs: number
  readonly #peer: UnbindPeer
  #step: 'none' | 'draining' | 'unbinding' = 'none'
  #reason = 'unbound by the carrier'
  #peerSequence: number | null = null
  #timer: NodeJS.Timeout | undefined

  constructor(unbindTimeoutMs: number, peer: UnbindPeer) {
    this.#unbindTimeoutMs = unbindTimeoutMs
    this.#peer = peer
  }

  start(reason: string, drainMs: number): void {
    this.#step = 'draining'
    this.#reason = reason
    // A caller with little time for submissions has little time for the unbind response.
    this.#unbindTimeoutMs = Math.min(this.#unbindTimeoutMs, Math.max(minResponseMs, drainMs))
    this.#timer = setTimeout(() => this.#unbind(), drainMs)
    this.advance()
  }

  /** Handles an unbind of the carrier, which can still respond to open submissions for `drainMs`. */
  peerUnbound(sequence: number, drainMs: number): void {
    this.#peerSequence = sequence
    if (this.#step === 'none') this.start(this.#reason, drainMs)
    else if (this.#step === 'unbinding') this.#unbind()
  }

  /** Must be called whenever an open submission or delivery was settled. */
  advance(): void {
    if (this.#step === 'draining' && this.#peer.drained()) this.#unbind()
  }

  /** Handles the response to unbind. Returns false if no unbind was sent. */
  handleResponse(): boolean {
    if (this.#step !== 'unbinding') return false
    this.#peer.close(this.#reason)
    return true
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #unbind(): void {
    clearTimeout(this.#timer)
    this.#step = 'unbinding'
    if (this.#peerSequence !== null) {
      this.#peer.answerUnbind(this.#peerSequence)
      return this.#peer.close(this.#reason)
    }
    this.#peer.unbind()
    this.#timer = setTimeout(() => this.#peer.close(this.#reason), this.#unbindTimeoutMs)
  }
}
