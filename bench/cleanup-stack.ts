/** Stops programs in reverse order of their start. A program added after the stop is stopped immediately. */
interface Stoppable {
  stop(): Promise<void>
}

export class CleanupStack {
  readonly #running: Stoppable[] = []
  #stopped = false

  use<T extends Stoppable>(program: T): T {
    if (this.#stopped) void program.stop()
    else this.#running.push(program)
    return program
  }

  async stop(): Promise<void> {
    this.#stopped = true
    for (const program of this.#running.splice(0).reverse()) await program.stop()
  }
}
