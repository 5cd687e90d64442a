/**
 * Keeps lines from being refused by old rules. A worker reads the rules every second, so it can judge the lines of a batch
 * before it knows that, for example, their sender was registered. A line that is refused gets no second chance, so the
 * lines are judged again when the rules are newer than the batch.
 */
import { clock } from '../../platform/time/clock.ts'
import { quietHoursCode, type LineResult } from './judge.ts'

export const staleRecheckMs = 1_250
/** For clock differences between processes. */
const clockToleranceMs = 250
/** After several failed reads the lines are refused; they do not wait for ever. */
const maxWaitMs = 10_000

/**
 * Reports whether lines are refused by rules that may be older than the batch. `since` is when its check began or when it was
 * started, `rulesAgeMs` the time since the rules were last compared with the database.
 */
export function areRefusedByOldRules(
  results: readonly LineResult[],
  since: Date | null,
  rulesAgeMs: number,
): boolean {
  if (since === null || !results.some((result) => 'code' in result && result.code !== quietHoursCode))
    return false
  const now = clock.now()
  const age = now - since.getTime()
  return age <= maxWaitMs && rulesAgeMs + clockToleranceMs > age
}
