/** Runs work at an interval: never two runs at once; a failed run is logged and the next one follows. */
import type { Log } from './log.ts'

export interface Periodic {
  /** Starts no further run and waits for the current one. */
  stop(): Promise<void>
}

export function every(intervalMs: number, what: string, log: Log, work: () => Promise<void>): Periodic {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let failing = false
  let current: Promise<void> = Promise.resolve()

  async function run(): Promise<void> {
    try {
      await work()
      failing = false
    } catch (error) {
      if (!failing) log.warn({ err: error as Error }, `${what} failed; retrying`)
      failing = true
    }
    if (!stopped) timer = setTimeout(start, intervalMs)
  }
  function start(): void {
    current = run()
  }
  start()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await current
    },
  }
}
