/**
 * The gate: what API processes accepted compared with what intake recorded, to see a loss inside the first queue. Both are
 * counted per API process, minute of acceptance and account; the ledger itself begins when intake records.
 *
 * It never raises a false alarm for more recorded than confirmed: an API process that is killed loses the counts of its last
 * seconds, and a message may be recorded whose confirm was lost. For the same reason a loss of as many messages of the same
 * process, minute and account can stay unseen.
 */
import { clock } from '../../platform/clock.ts'
import { inTransaction, type Queryable, type Transactional } from '../../platform/database.ts'

export interface GateGap {
  readonly minute: Date
  readonly process: string
  readonly accountId: number
  readonly confirmed: number
  readonly recorded: number
  readonly missing: number
}

/**
 * A worker that is killed, stopped or cut off from the broker returns its deliveries within seconds; one that is cut off
 * from PostgreSQL alone keeps them until it is connected again. What was accepted since may be on its way.
 */
export const holdMs = 5 * 60_000

/**
 * SQL: until when the last check looked. A later time than is possible now was stored while PostgreSQL's clock was ahead:
 * everything that waits in the first queue would count as lost. Null before the first check.
 */
export const checkedUntil = `case when gate_until is not null
  then least(gate_until, now() - interval '${holdMs} milliseconds') end`

/**
 * Counts that an API process could not store for this long are given up. Sends are accepted for up to 24 hours without
 * PostgreSQL (`POSTERN_RESERVE_MINUTES`), so this covers an outage twice as long as that.
 */
export const keepUnsavedHours = 48

/**
 * Stores what the broker confirmed of one API process: totals, so that a repeated statement adds nothing. Totals of old
 * minutes are refused, because the counts that they would be compared with may have been removed.
 */
export const saveConfirmedText = `
  insert into gate_counts as g (minute, process, account_id, confirmed, recorded)
  select minute, $4, account_id, confirmed, 0
    from unnest($1::timestamptz[], $2::int[], $3::bigint[]) as c (minute, account_id, confirmed)
   where minute > now() - interval '${keepUnsavedHours} hours'
   order by minute, account_id
  on conflict (minute, process, account_id) do update set confirmed = greatest(g.confirmed, excluded.confirmed)`

/**
 * Removes counts that are complete: nothing is missing, and nothing is added to them. A process stores its counts in the
 * order in which they began to change, and a confirm comes within a minute, so the counts of a minute are complete when the
 * process has stored some of two minutes later. Those of which this is not known stay for as long as they could be stored.
 * Counts with a gap stay for the retention, and while the clocks disagree: they are the only trace of a loss.
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

/** SQL: the gaps of minutes that ended before `until`, with the counts that are not folded yet. */
export function gateGaps(until: string): string {
  return `select minute, process, account_id, g.confirmed, g.recorded + coalesce(a.recorded, 0) as recorded,
                 g.confirmed - g.recorded - coalesce(a.recorded, 0) as missing
            from gate_counts g
            left join (select minute, process, account_id, sum(recorded)::bigint as recorded
                         from ledger where not folded and process is not null group by 1, 2, 3) a
                 using (minute, process, account_id)
           where g.minute + interval '1 minute' <= ${until} and g.confirmed > g.recorded + coalesce(a.recorded, 0)`
}

export interface GateGaps {
  /** Messages that are missing, in all gaps. */
  readonly missing: number
  /** How many gaps there are: one per minute, process and account. */
  readonly count: number
  /** The first of them. */
  readonly gaps: readonly GateGap[]
}

export const noGaps: GateGaps = { missing: 0, count: 0, gaps: [] }

const maxListed = 1_000

/** Confirmed and not recorded, in minutes that ended before `until`. In a transaction. */
export function findGateGaps(transaction: Queryable, until: Date): Promise<GateGaps> {
  return readGaps(transaction, `with gaps as (${gateGaps('$1')})`, until)
}

async function readGaps(transaction: Queryable, withGaps: string, until: Date): Promise<GateGaps> {
  const found = await transaction.query<GateGap & { allMissing: number; count: number }>(
    `${withGaps}
     select minute, process, account_id as "accountId", confirmed, recorded, missing,
            (sum(missing) over ())::bigint as "allMissing", count(*) over () as count
       from gaps order by minute, process, account_id limit ${maxListed}`,
    [until],
  )
  const [first] = found.rows
  if (first === undefined) return noGaps
  return {
    missing: first.allMissing,
    count: first.count,
    gaps: found.rows.map(({ minute, process, accountId, confirmed, recorded, missing }) => ({
      ...{ minute, process, accountId, confirmed, recorded, missing },
    })),
  }
}

/** An operator has looked into the gaps that the last check found: they are no longer reported. Returns them. */
export function acknowledgeGateGaps(database: Transactional): Promise<GateGaps> {
  return inTransaction(database, async (transaction) => {
    const checked = await transaction.query<{ until: Date | null }>(
      `select ${checkedUntil} as until from ledger_checks for update`,
    )
    const until = checked.rows[0]?.until ?? null
    if (until === null) return noGaps
    // What is folded or recorded later adds to the counts, and more recorded than confirmed is no gap.
    const acknowledged = await readGaps(
      transaction,
      `with gaps as (
         update gate_counts g set recorded = g.confirmed
           from (${gateGaps('$1')}) gap
          where (g.minute, g.process, g.account_id) = (gap.minute, gap.process, gap.account_id)
         returning gap.*)`,
      until,
    )
    await transaction.query('update ledger_checks set gate_gap = 0')
    return acknowledged
  })
}
