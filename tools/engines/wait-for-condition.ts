// Polls a condition of another process. Callers report a timeout themselves, with the log and the next step,
// so it is a return value and not an error.

import { setTimeout as pause } from 'node:timers/promises'

/** Checks every 50 ms; returns false on timeout. */
export async function waitForCondition(
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
