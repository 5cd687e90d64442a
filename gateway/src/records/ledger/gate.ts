/**
 * Compares the messages that the broker confirmed with those that intake recorded, to detect a loss inside
 * the intake queue. Both are counted by API process, minute of acceptance and account (`gate-counter.ts`,
 * `queries.ts`).
 *
 * More recorded than confirmed is no gap: an API process that is killed loses the counts of its last seconds,
 * and a message can be recorded although its confirm was lost. A loss of as many messages of the same
 * process, minute and account then stays undetected.
 */
import { lanes, type Lane } from '../../channels/lane.ts'
import type { AcceptedJob } from '../../jobs/jobs.ts'
import type { Topology } from '../../jobs/queues.ts'
import type { Broker } from '../../platform/broker/broker.ts'
import { clock } from '../../platform/time/clock.ts'
import { inTransaction, type Queryable, type Transactional } from '../../platform/database/database.ts'

/**
 * A worker that is killed, stopped or disconnected from the broker returns its deliveries within seconds; one
 * that is disconnected only from PostgreSQL keeps them until it is connected again. Messages accepted within
 * this time can still be in transit.
 */
const holdMs = 5 * 60_000

/**
 * SQL expression: the time up to which the last check compared, null before the first. A later time than is
 * now possible was stored while PostgreSQL's clock was ahead: everything that waits in the intake queue would
 * count as lost.
 */
export const checkedUntil = `case when gate_until is not null
  then least(gate_until, now() - interval '${holdMs} milliseconds') end`

/**
 * Hours for which PostgreSQL accepts counts: twice the longest time for which sends can be accepted without it
 * (the maximum of `POSTERN_RESERVE_MINUTES`).
 */
export const keepUnsavedHours = 48

interface IntakeQueues {
  readonly broker: Pick<Broker, 'depth'>
  readonly topology: Pick<Topology, 'accepted'>
}

/**
 * Tracks the time until which everything that was accepted must have been recorded. A queue delivers in order: if it
 * is empty that is now, otherwise the acceptance of the oldest message of a recorded batch. A worker that records
 * nothing while messages wait only checks later.
 */
export class GateHorizon {
  readonly #source: IntakeQueues
  readonly #holdMs: number
  readonly #reached = new Map<Lane, number>()

  constructor(source: IntakeQueues, hold: number = holdMs) {
    this.#source = source
    this.#holdMs = hold
  }

  /** Notes that a batch of a lane was recorded. */
  countRecorded(lane: Lane, jobs: readonly Pick<AcceptedJob, 'acceptedAt'>[]): void {
    this.#reach(lane, Math.min(...jobs.map(({ acceptedAt }) => acceptedAt)))
  }

  /** Returns null if nothing is known about a lane yet. */
  async read(): Promise<Date | null> {
    const { broker, topology } = this.#source
    for (const lane of lanes) {
      const at = clock.now()
      if ((await broker.depth(topology.accepted[lane])) === 0) this.#reach(lane, at)
    }
    const reached = lanes.map((lane) => this.#readKnownTime(lane))
    if (!reached.every((at) => at !== undefined)) return null
    return new Date(Math.min(...reached) - this.#holdMs)
  }

  #reach(lane: Lane, at: number): void {
    this.#reached.set(lane, Math.max(this.#readKnownTime(lane) ?? 0, at))
  }

  /** Ignores a time in the future, which was noted while PostgreSQL's clock was ahead. */
  #readKnownTime(lane: Lane): number | undefined {
    const at = this.#reached.get(lane)
    const now = clock.now()
    return at === undefined || at > now ? undefined : at
  }
}

/**
 * Removes counts that are complete: nothing is missing, and nothing is added to them. A confirm arrives
 * within a minute, so the counts of a minute are complete once the process has stored some of two minutes
 * later. Counts for which this is unknown stay for as long as they could be stored. Counts with a gap stay
 * for the retention, and while the clocks disagree: they are the only trace of a loss.
 */
export async function removeBalanced(database: Queryable, retentionDays: number): Promise<void> {
  await database.query(
    `delete from gate_counts g
        using (select process, max(minute) as minute from gate_counts where confirmed > 0 group by process) last
        where g.process = last.process and g.minute <= last.minute - interval '2 minutes'
          and g.minute < now() - interval '10 minutes' and g.confirmed <= g.recorded`,
  )
  await database.query(
    `delete from gate_counts
        where minute < now() - interval '${keepUnsavedHours + 1} hours' and confirmed <= recorded
           or $2 and minute < now() - $1 * interval '1 day'`,
    [retentionDays, clock.agrees],
  )
}

/**
 * Builds an SQL query for the gaps of minutes that ended before `until`, including the counts that are not
 * aggregated yet.
 */
export function gateGaps(until: string): string {
  return `select minute, process, account_id, g.confirmed, g.recorded + coalesce(a.recorded, 0) as recorded,
                 g.confirmed - g.recorded - coalesce(a.recorded, 0) as missing
            from gate_counts g
            left join (select minute, process, account_id, sum(recorded)::bigint as recorded
                         from ledger where not folded and process is not null group by 1, 2, 3) a
                 using (minute, process, account_id)
           where g.minute + interval '1 minute' <= ${until} and g.confirmed > g.recorded + coalesce(a.recorded, 0)`
}

export interface GateGap {
  readonly minute: Date
  readonly process: string
  readonly accountId: number
  readonly confirmed: number
  readonly recorded: number
  readonly missing: number
}

export interface GateGaps {
  /** Messages that are missing in all gaps together. */
  readonly missing: number
  /** Number of gaps: one per minute, process and account. */
  readonly count: number
  /** The oldest gaps. */
  readonly gaps: readonly GateGap[]
}

const maxListed = 1_000

/** Finds the messages missing in minutes that ended before `until`, by default as of the last check. */
export async function findGateGaps(transaction: Queryable, until?: Date | null): Promise<GateGaps> {
  const end = until === undefined ? await readCheckedUntil(transaction) : until
  return listGaps(transaction, gateGaps('$1'), end)
}

/**
 * Stops reporting the gaps that the last check found, after an operator has investigated them. Returns them.
 */
export function acknowledgeGateGaps(database: Transactional): Promise<GateGaps> {
  return inTransaction(database, async (transaction) => {
    // Counts that are aggregated or recorded later add to these, and more recorded than confirmed is no gap.
    const acknowledged = await listGaps(
      transaction,
      `update gate_counts g set recorded = g.confirmed
         from (${gateGaps('$1')}) gap
        where (g.minute, g.process, g.account_id) = (gap.minute, gap.process, gap.account_id)
       returning gap.*`,
      await readCheckedUntil(transaction, 'for update'),
    )
    await transaction.query('update ledger_checks set gate_gap = 0')
    return acknowledged
  })
}

async function readCheckedUntil(transaction: Queryable, lock: 'for update' | '' = ''): Promise<Date | null> {
  const checked = await transaction.query<{ until: Date | null }>(
    `select ${checkedUntil} as until from ledger_checks ${lock}`,
  )
  return checked.rows[0]?.until ?? null
}

/** `gaps` is a statement that returns rows of `gateGaps('$1')`. */
async function listGaps(transaction: Queryable, gaps: string, until: Date | null): Promise<GateGaps> {
  const found = await transaction.query<GateGap & { allMissing: number; count: number }>(
    `with gaps as (${gaps})
     select minute, process, account_id as "accountId", confirmed, recorded, missing,
            (sum(missing) over ())::bigint as "allMissing", count(*) over () as count
       from gaps order by minute, process, account_id limit ${maxListed}`,
    [until],
  )
  return {
    missing: found.rows[0]?.allMissing ?? 0,
    count: found.rows[0]?.count ?? 0,
    gaps: found.rows.map(({ minute, process, accountId, confirmed, recorded, missing }) => {
      return { minute, process, accountId, confirmed, recorded, missing }
    }),
  }
}
