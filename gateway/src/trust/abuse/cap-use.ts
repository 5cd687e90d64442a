/**
 * Counts and logs the caps that are nearly used up, so that an operator can act before messages are refused.
 * One worker runs one statement per minute.
 */
import { clock } from '../../platform/time/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { Log } from '../../platform/logging/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { listCaps } from './cap-store.ts'
import type { FindPeriodStart } from './caps.ts'

export const capLevels = [100, 90, 70] as const
/** Maximum caps that the metric counts. */
const maxCaps = 1_000

export interface CapUseContext {
  readonly database: Queryable
  readonly findPeriodStart: FindPeriodStart
  readonly metrics: Pick<Metrics, 'usedCaps'>
  readonly log: Log
}

export class CapUseWatch {
  readonly #context: CapUseContext
  #known = new Map<string, number>()

  constructor(context: CapUseContext) {
    this.#context = context
  }

  /** Sets the metric, and logs every cap that has reached a level since the last run. */
  async check(): Promise<void> {
    const { database, findPeriodStart, metrics, log } = this.#context
    const now = clock.now()
    const begins = { day: findPeriodStart('day', now), month: findPeriodStart('month', now) }
    const reachedLevels = new Map<string, number>()
    for (const cap of await listCaps(database, begins, { usedPercent: capLevels.at(-1)!, limit: maxCaps })) {
      const { clientId, period, class: name, max, used } = cap
      const level = capLevels.find((percent) => used * 100 >= max * percent)!
      const key = `${clientId} ${name} ${period} ${begins[period]}`
      reachedLevels.set(key, level)
      if (level > (this.#known.get(key) ?? 0))
        log.warn(
          { clientId, period, class: name, max, used },
          `${level} % of a cap is used; beyond the cap, messages of the account are refused. Raise it with \`postern protection cap\` if the traffic is legitimate`,
        )
    }
    this.#known = reachedLevels
    const levels = [...reachedLevels.values()]
    for (const level of capLevels)
      metrics.usedCaps.set({ level: String(level) }, levels.filter((reached) => reached === level).length)
  }

  /** Call it when another worker takes over. */
  reset(): void {
    this.#known.clear()
    this.#context.metrics.usedCaps.reset()
  }
}
