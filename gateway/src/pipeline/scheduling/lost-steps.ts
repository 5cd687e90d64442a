import { setTimeout as pause } from 'node:timers/promises'
import { timeDigits } from '../../contract/msg-key.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/logging/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { clock } from '../../platform/time/clock.ts'
import { every, type Periodic } from '../../platform/time/periodic.ts'
import { findLostSteps, readLostSteps } from '../../records/messages/lost.ts'
import { reenqueueStep } from './outbox.ts'

export interface LostStepsContext {
  readonly database: Database
  readonly metrics: Pick<Metrics, 'lostSteps'>
  readonly log: Log
  /** Tests set these lower. */
  readonly confirmMs?: number
  readonly maxSteps?: number
}

const minute = 60_000
const searchEveryMs = 20 * minute
/**
 * Ages of a message at which its step is looked for, up to 64 hours. A process holds the job of a step for at most ten
 * minutes; a step that was started later than its message, or lost later, is found at the next age.
 */
const agesMs = Array.from({ length: 9 }, (_, n) => 15 * minute * 2 ** n)
/** Steps that are placed together. A queue can have lost thousands. */
const defaultMaxSteps = 2_000
/** A step that has just been released is in neither table until a process claims it. */
const defaultConfirmMs = 30_000

/**
 * Starts the search for steps whose job was lost with a queue, and places them again; otherwise they would end only at their
 * deadline. Each search reads ranges of the messages' keys, which begin with their time; a range begins where that of the last
 * search ended.
 */
export function startLostSteps({
  database,
  metrics,
  log,
  confirmMs = defaultConfirmMs,
  maxSteps = defaultMaxSteps,
}: LostStepsContext): Periodic {
  let searchedUntil: number | undefined
  return every(searchEveryMs, 'searching for lost steps', log, async (signal) => {
    if (!clock.agrees) return
    const now = clock.now()
    const since = searchedUntil ?? now - searchEveryMs
    const ranges = agesMs.map((ageMs) => ({
      fromKey: timeDigits(new Date(since - ageMs)),
      beforeKey: timeDigits(new Date(now - ageMs)),
    }))
    // A step that is placed again waits in a table, so the next round finds others.
    for (;;) {
      const found = await findLostSteps(database, ranges, maxSteps)
      if (found.length === 0) break
      await pause(confirmMs, undefined, { signal })
      const lost = await readLostSteps(database, found)
      for (const step of lost) await reenqueueStep(database, step)
      if (lost.length > 0) {
        metrics.lostSteps.inc(lost.length)
        log.warn(
          { steps: lost.length, message: lost[0]!.msgKey },
          'steps were neither submitted nor in a table and are placed again: a queue lost their jobs, or holds them for very long. Check the queues of RabbitMQ',
        )
      }
      if (found.length < maxSteps) break
    }
    searchedUntil = now
  })
}
