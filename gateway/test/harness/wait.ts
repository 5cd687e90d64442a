/**
 * Waiting on a condition of another process, which can only be asked, not listened to. A condition that does
 * not come true is an error that says what was waited for.
 */
import { setTimeout as pause } from 'node:timers/promises'

const askEveryMs = 25

/** Resolves with the first answer that is neither false, null nor undefined. An error of `condition` ends it. */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  what: string,
  timeoutMs: number,
  everyMs = askEveryMs,
): Promise<NonNullable<T>> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const answer = await condition()
    if (answer !== false && answer !== null && answer !== undefined) return answer
    if (performance.now() > deadline) throw new Error(`waited ${timeoutMs / 1000} s in vain: ${what}`)
    await pause(everyMs)
  }
}
