/**
 * Taking leave: take no more, let what is open be answered, then unbind, or answer the carrier's own unbind. Each
 * wait has an end, so a carrier that says nothing any more cannot keep us.
 */
export interface UnbindPeer {
  /** Nothing is open in either direction. */
  drained(): boolean
  unbind(): void
  answerUnbind(sequence: number): void
  close(reason: string): void
}

export class Unbind {
  readonly #unbindTimeoutMs: number
  readonly #peer: UnbindPeer
  #step: 'none' | 'draining' | 'unbinding' = 'none'
  #reason = 'unbound by the carrier'
  #carriersUnbind: number | null = null
  #timer: NodeJS.Timeout | undefined

  constructor(unbindTimeoutMs: number, peer: UnbindPeer) {
    this.#unbindTimeoutMs = unbindTimeoutMs
    this.#peer = peer
  }

  begin(reason: string, drainMs: number): void {
    this.#step = 'draining'
    this.#reason = reason
    this.#timer = setTimeout(() => this.#unbind(), drainMs)
    this.advance()
  }

  /** The carrier wants to part; it may still answer what it took, for `drainMs`. */
  asked(sequence: number, drainMs: number): void {
    this.#carriersUnbind = sequence
    if (this.#step === 'none') this.begin(this.#reason, drainMs)
    else if (this.#step === 'unbinding') this.#unbind()
  }

  /** Something that was open is so no longer. */
  advance(): void {
    if (this.#step === 'draining' && this.#peer.drained()) this.#unbind()
  }

  /** The carrier answered an unbind; false when we never sent one. */
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
    if (this.#carriersUnbind !== null) {
      this.#peer.answerUnbind(this.#carriersUnbind)
      return this.#peer.close(this.#reason)
    }
    this.#peer.unbind()
    this.#timer = setTimeout(() => this.#peer.close(this.#reason), this.#unbindTimeoutMs)
  }
}
