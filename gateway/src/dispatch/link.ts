/** Whether a connector can take submissions now, as something to wait for. */
export class Link {
  #up = false
  #change = Promise.withResolvers<undefined>()

  get up(): boolean {
    return this.#up
  }

  set(up: boolean): void {
    this.#up = up
    if (up) {
      this.#change.resolve(undefined)
      this.#change = Promise.withResolvers()
    }
  }

  /** Resolves when the link is up; rejects when the signal aborts first. */
  async untilUp(signal: AbortSignal): Promise<void> {
    while (!this.#up) {
      const aborted = Promise.withResolvers<never>()
      const onAbort = (): void => aborted.reject(signal.reason as Error)
      if (signal.aborted) onAbort()
      signal.addEventListener('abort', onAbort, { once: true })
      try {
        await Promise.race([this.#change.promise, aborted.promise])
      } finally {
        signal.removeEventListener('abort', onAbort)
      }
    }
  }
}
