/**
 * Waiting for what a page shows or a process does. Asked ten times a second, because each question takes CPU time from what it waits for;
 * a machine that does other work takes long.
 */
import { waitFor as waitForCondition } from '../../../gateway/test/support/wait.ts'
import { maxWaitMs } from './browser.ts'

export function waitFor<T>(
  what: string,
  condition: () => T | Promise<T>,
  everyMs = 100,
): Promise<Exclude<T, false | null | undefined>> {
  return waitForCondition(what, condition, { timeoutMs: maxWaitMs, everyMs })
}
