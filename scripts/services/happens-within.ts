// Waits on a condition of another process, which can only be polled. The callers report a timeout themselves, with
// the log and the next step, so it is an answer here and not an error.

import { setTimeout as pause } from 'node:timers/promises'

/** Checks every 50 ms; true when the condition holds, false when the time is over. */
export async function happensWithin(
  timeoutMs: number,
  condition: () => boolean | Promise<boolean>,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (!(await condition())) {
    if (performance.now() > deadline) return false
    await pause(50)
  }
  return true
}
