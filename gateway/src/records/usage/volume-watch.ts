/**
 * Counts the accounts that send far more today than on their busiest day of the last week, and logs their
 * names: their credentials may be stolen. New accounts have no week to compare with; the default cap limits
 * them.
 */
import { clock } from '../../platform/time/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { Log } from '../../platform/logging/log.ts'
import type { Metrics } from '../../platform/metrics.ts'

const factor = 3
/** Smaller accounts vary by more than the factor from day to day. */
const minMessages = 1_000
const maxRows = 1_000

export interface VolumeWatchContext {
  readonly database: Queryable
  readonly timeZone: string
  readonly metrics: Pick<Metrics, 'unusualVolume'>
  readonly log: Log
}

interface UnusualVolume {
  readonly clientId: string
  readonly today: number
  readonly busiest: number
}

/** Finds the accounts. The statement reads two index ranges per account. */
async function findUnusualVolumes(
  database: Queryable,
  timeZone: string,
  now: Date,
): Promise<UnusualVolume[]> {
  const result = await database.query<UnusualVolume>(
    `select client_id as "clientId", t.today::float8 as today, b.busiest::float8 as busiest
       from (select $1::timestamptz as at, ($1::timestamptz at time zone $2)::date as day) n
            cross join accounts a
            cross join lateral (select sum(messages) as today from usage_days u
                                 where u.account_id = a.id and u.day = n.day) t
            cross join lateral (select coalesce(max(messages), 0) as busiest
                                  from (select sum(messages) as messages from usage_days u
                                         where u.account_id = a.id and u.day between n.day - 7 and n.day - 1
                                         group by u.day) days) b
      where a.created_at < n.at - interval '8 days' and t.today >= ${minMessages} and t.today > ${factor} * b.busiest
      limit ${maxRows}`,
    [now, timeZone],
  )
  return result.rows
}

export class VolumeWatch {
  readonly #context: VolumeWatchContext
  #logged = new Set<string>()

  constructor(context: VolumeWatchContext) {
    this.#context = context
  }

  async check(): Promise<void> {
    const { database, timeZone, metrics, log } = this.#context
    const found = await findUnusualVolumes(database, timeZone, clock.date())
    for (const { clientId, today, busiest } of found)
      if (!this.#logged.has(clientId))
        log.warn(
          { clientId, today, busiest },
          `an account has sent more than ${factor} times as many messages today as on its busiest day of the last week; ask the customer, and \`postern account block\` it if its credentials were stolen`,
        )
    this.#logged = new Set(found.map(({ clientId }) => clientId))
    metrics.unusualVolume.set(found.length)
  }

  /** Call it when another worker takes over the check. */
  reset(): void {
    this.#logged.clear()
    this.#context.metrics.unusualVolume.set(0)
  }
}
