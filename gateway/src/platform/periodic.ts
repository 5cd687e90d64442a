/** Work that comes round again: never two rounds at once, a failed round is logged and the next one comes. */
import type { Log } from './log.ts'

export interface Periodic {
  stop(): Promise<void>
}

export function every(intervalMs: number, what: string, log: Log, round: () => Promise<void>): Periodic {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let failing = false
  let current: Promise<void> = Promise.resolve()

  async function turn(): Promise<void> {
    try {
      await round()
      failing = false
    } catch (error) {
      if (!failing) log.warn({ err: error as Error }, `${what} failed; trying again`)
      failing = true
    }
    if (!stopped) timer = setTimeout(start, intervalMs)
  }
  function start(): void {
    current = turn()
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
