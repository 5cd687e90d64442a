/**
 * Waits for a condition of a page or process. Polls only ten times per second, because each check takes CPU time from the process
 * under test. The time limit is generous for busy machines.
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
