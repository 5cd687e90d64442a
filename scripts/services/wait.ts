// Waiting on a condition of another process, which can only be asked, not listened to.

import { setTimeout as pause } from 'node:timers/promises'

/** Asks every 50 ms until the answer is true; false when the time is over. */
export async function waitFor(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (!(await condition())) {
    if (performance.now() > deadline) return false
    await pause(50)
  }
  return true
}
