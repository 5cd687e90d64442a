/** Runs work at an interval. Runs never overlap; a failed run is logged and the next one follows. */
import type { Clock } from './clock.ts'
import type { Log } from '../logging/log.ts'

export interface Periodic {
  /** Starts no further run, aborts the signal of the current one and waits for its end. */
  stop(): Promise<void>
}

export function every(
  intervalMs: number,
  what: string,
  log: Log,
  work: (signal: AbortSignal) => Promise<void>,
): Periodic {
  const stopping = new AbortController()
  const { signal } = stopping
  let timer: NodeJS.Timeout | undefined
  let failing = false
  let current: Promise<void> = Promise.resolve()

  async function run(): Promise<void> {
    try {
      await work(signal)
      failing = false
    } catch (error) {
      if (!failing && error !== signal.reason) log.warn({ err: error as Error }, `${what} failed; retrying`)
      failing = true
    }
    if (!signal.aborted) timer = setTimeout(start, intervalMs)
  }
  function start(): void {
    current = run()
  }
  start()
  return {
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await current
    },
  }
}

const hourMs = 3_600_000
/** The interval at which the clock is measured. */
const hourCheckMs = 2_000

/**
 * Runs work immediately and once in every hour of the clock, so that it follows PostgreSQL's days even if
 * that clock was set or this machine was paused. A failed run is repeated after two seconds, not in the next
 * hour.
 */
export function everyHour(
  clock: Pick<Clock, 'now'>,
  what: string,
  log: Log,
  work: () => Promise<void>,
): Periodic {
  let doneHour: number | undefined
  return every(hourCheckMs, what, log, async () => {
    const hour = Math.floor(clock.now() / hourMs)
    if (hour === doneHour) return
    await work()
    doneHour = hour
  })
}
