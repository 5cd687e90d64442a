/**
 * How many caps are nearly used up: 70, 90 or 100 %, for a metric and the log, so that an operator asks or raises a cap before
 * messages are refused. One statement a minute by one worker. What API processes have reserved counts as used.
 */
import { clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { BeginOf } from './cap-periods.ts'
import type { Cap } from './protection.ts'

export const capLevels = [100, 90, 70] as const
/** Beyond it the metric says at least so many. */
const maxRows = 1_000

export interface UsedCap extends Cap {
  readonly clientId: string
  readonly used: number
}

/** Caps of which the lowest level or more is used, in the given day and month. */
export async function readUsedCaps(database: Queryable, day: string, month: string): Promise<UsedCap[]> {
  const result = await database.query<UsedCap>({
    name: 'read-used-caps',
    text: `select a.client_id as "clientId", p.period, p.class, p.max, c.used
             from account_caps p
             join cap_counts c on c.account_id = p.account_id and c.class = p.class and c.period = p.period
                              and c.begins = case p.period when 'day' then $1 else $2 end
             join accounts a on a.id = p.account_id
            where c.used * 100 >= p.max * ${capLevels.at(-1)!} limit ${maxRows}`,
    values: [day, month],
  })
  return result.rows
}

export interface CapUseContext {
  readonly database: Queryable
  readonly beginOf: BeginOf
  readonly metrics: Pick<Metrics, 'usedCaps'>
  readonly log: Log
}

/** `look` sets the metric and logs every cap that has reached a level since the last look. */
export class CapUseWatch {
  readonly #context: CapUseContext
  #known = new Map<string, number>()

  constructor(context: CapUseContext) {
    this.#context = context
  }

  async look(): Promise<void> {
    const { database, beginOf, metrics, log } = this.#context
    const now = clock.now()
    const found = new Map<string, number>()
    for (const cap of await readUsedCaps(database, beginOf('day', now), beginOf('month', now))) {
      const { clientId, period, class: name, max, used } = cap
      const level = capLevels.find((one) => used * 100 >= max * one)!
      const key = `${clientId} ${name} ${beginOf(period, now)}`
      found.set(key, level)
      if (level > (this.#known.get(key) ?? 0))
        log.warn(
          { clientId, period, class: name, max, used },
          `${level} % of a cap is used; beyond it messages of the account are refused. Raise it with \`postern protection cap\` if the traffic is legitimate`,
        )
    }
    this.#known = found
    const levels = [...found.values()]
    for (const level of capLevels)
      metrics.usedCaps.set({ level: String(level) }, levels.filter((one) => one === level).length)
  }

  /** Another worker looks. */
  forget(): void {
    this.#known.clear()
    this.#context.metrics.usedCaps.reset()
  }
}
