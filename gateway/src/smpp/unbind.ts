/**
 * The graceful end of a session: wait for open submissions and deliveries, then send unbind or answer the unbind of the
 * carrier. Every wait has a limit, so a carrier that no longer responds cannot keep the session open.
 */
export interface UnbindPeer {
  /** True when no submission and no delivery is open. */
  drained(): boolean
  unbind(): void
  answerUnbind(sequence: number): void
  close(reason: string): void
}

/** The shortest time that the carrier has for answering the unbind. */
const minAnswerMs = 500

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
    // Who cannot wait for submissions cannot wait for the answer to the unbind either.
    this.#unbindTimeoutMs = Math.min(this.#unbindTimeoutMs, Math.max(minAnswerMs, drainMs))
    this.#timer = setTimeout(() => this.#unbind(), drainMs)
    this.advance()
  }

  /** The carrier sent unbind; it may still answer open submissions for `drainMs`. */
  peerUnbound(sequence: number, drainMs: number): void {
    this.#peerSequence = sequence
    if (this.#step === 'none') this.start(this.#reason, drainMs)
    else if (this.#step === 'unbinding') this.#unbind()
  }

  /** Called whenever an open submission or delivery was settled. */
  advance(): void {
    if (this.#step === 'draining' && this.#peer.drained()) this.#unbind()
  }

  /** The carrier answered an unbind. False when we did not send one. */
  answered(): boolean {
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
