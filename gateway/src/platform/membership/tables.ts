/** SQL of the tables `members` and `owned`, and the connection for heartbeats. All times are PostgreSQL's. */
import { openSingleConnection, type Database, type Queryable } from '../database/database.ts'
import { machine } from '../machine.ts'

/** A member that has not renewed its row for this long owns nothing. */
const takenOverAfterMs = 7_000
const forgetAfter = '1 minute'
/**
 * Time for which the unsettled receipts of a silent worker hold back deadlines. The broker passes them to
 * another worker within three of its heartbeats of 3 s.
 */
const receiptsHeldFor = '10 seconds'

/**
 * SQL condition: the member `alias` renewed its row in time. A row from the future was written before
 * PostgreSQL moved to a host whose clock is behind; a live member has written it again.
 */
export const isLive = (alias: string): string =>
  `(not ${alias}.ended and ${alias}.seen_at between now() - interval '${takenOverAfterMs} ms'
                                                and now() + interval '${takenOverAfterMs} ms')`

export type OwnedKind = 'partition' | 'webhook' | 'delivery' | 'duty'

/** Kinds with few items, whose owners a heartbeat compares. */
export const steadyKinds: readonly OwnedKind[] = ['partition', 'duty']

export interface OwnedClaim {
  readonly key: string
  /** Changes with every change of the owner. */
  readonly epoch: number
}

export interface MemberRow {
  readonly id: string
  readonly role: string
  readonly host: string
  readonly takes: readonly OwnedKind[]
  readonly clockAgrees: boolean
  readonly oldestReceiptAt: Date | null
}

/** Another live member. */
export interface Peer {
  readonly id: string
  readonly takes: readonly OwnedKind[]
  /** Process id if the member runs on this machine, otherwise null. */
  readonly pid: number | null
}

export interface Heartbeat {
  /** The row was written for the first time, or again after other members had removed it. */
  readonly isNew: boolean
  readonly peers: readonly Peer[]
  /** Changes with every change of the live owner of a partition or duty. */
  readonly ownership: string
  /**
   * Other workers have settled all receipts that were published before this time; null if there are no other
   * workers.
   */
  readonly othersSettledThrough: Date | null
}

/**
 * Opens the connection for heartbeats. Commits do not wait for a standby, because a row that is lost in a
 * failover is written again.
 */
export function openHeartbeatDatabase(url: string): Database {
  return openSingleConnection(url, 'heartbeats', '-c synchronous_commit=off')
}

/** Renews the row of a member and reads the other ones, in one statement. */
export async function beat(
  database: Queryable,
  { id, role, host, takes, clockAgrees, oldestReceiptAt }: MemberRow,
): Promise<Heartbeat> {
  const { rows } = await database.query<Heartbeat>({
    name: 'member-heartbeat',
    text: `with renewed as (
             insert into members (id, role, host, machine, pid, takes, clock_agrees, oldest_receipt_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8)
             on conflict (id) do update
               set seen_at = now(), ended = false, takes = excluded.takes, clock_agrees = excluded.clock_agrees,
                   oldest_receipt_at = excluded.oldest_receipt_at
             returning xmax = 0 as is_new),
           forgotten as (
             delete from members where id = any (array(
               select id from members
                where id <> $1 and seen_at not between now() - interval '${forgetAfter}' and now() + interval '${forgetAfter}'
                  for update skip locked))),
           live as (select id, takes, case when machine = $4 then pid end as pid from members m where id <> $1 and ${isLive('m')})
           select (select is_new from renewed) as "isNew",
                  (select coalesce(json_agg(live), '[]') from live) as peers,
                  (select coalesce(string_agg(key || ' ' || epoch, ',' order by kind, key), '')
                     from owned o join members m on m.id = o.member and (m.id = $1 or ${isLive('m')})
                    where kind = any ('{${steadyKinds.join()}}')) as ownership,
                  (select min(coalesce(oldest_receipt_at, seen_at)) from members
                    where id <> $1 and role <> 'smpp-server' and seen_at > now() - interval '${receiptsHeldFor}') as "othersSettledThrough"`,
    values: [id, role, host, machine, process.pid, takes, clockAgrees, oldestReceiptAt],
  })
  return rows[0]!
}

/**
 * Makes the member the owner of the given keys that are free or whose owner is not live, and releases
 * everything else that it owns of this kind except `stopping`. Returns all of the keys that it owns. Writes
 * only changes.
 */
export async function claimExactly(
  database: Queryable,
  member: string,
  kind: OwnedKind,
  keys: readonly string[],
  stopping: readonly string[] = [],
): Promise<OwnedClaim[]> {
  const { rows } = await database.query<OwnedClaim>({
    name: 'claim-owned',
    text: `with wanted as (
             select w.key, o.member, o.epoch, m.id is not null as is_owned
               from unnest($3::text[]) as w (key)
               left join owned o on o.kind = $2 and o.key = w.key
               left join members m on m.id = o.member and ${isLive('m')}),
           unwanted as (
             delete from owned where member = $1 and kind = $2
                and key not in (select unnest($3::text[] || $4::text[]))),
           taken as (
             insert into owned as o (kind, key, member)
             select $2, key, $1 from wanted where not is_owned and member is distinct from $1 order by key
             on conflict (kind, key) do update
               set member = excluded.member, epoch = excluded.epoch, since = now()
               where not exists (select from members m where m.id = o.member and ${isLive('m')})
             returning key, epoch)
           select key, epoch from wanted where member = $1
           union all select key, epoch from taken`,
    values: [member, kind, keys, stopping],
  })
  return rows
}

export async function release(
  database: Queryable,
  member: string,
  kind: OwnedKind,
  keys: readonly string[],
): Promise<void> {
  await database.query({
    name: 'release-owned',
    text: 'delete from owned where member = $1 and kind = $2 and key = any ($3)',
    values: [member, kind, keys],
  })
}

/** Removes a stopping member with everything that it owns. */
export async function removeMember(database: Queryable, id: string): Promise<void> {
  await database.query('delete from members where id = $1', [id])
}

/** Lists the other live members of this machine. */
export async function readNeighbours(
  database: Queryable,
  id: string,
): Promise<{ readonly id: string; readonly pid: number }[]> {
  const { rows } = await database.query<{ id: string; pid: number }>(
    `select id, pid from members m where machine = $1 and id <> $2 and ${isLive('m')}`,
    [machine, id],
  )
  return rows
}

/**
 * Frees the items of members whose processes have ended. The rows of the members expire later: their
 * unsettled receipts have not reached another worker yet.
 */
export async function retireMembers(database: Queryable, ids: readonly string[]): Promise<void> {
  await database.query('update members set ended = true where id = any ($1)', [ids])
  await database.query('delete from owned where member = any ($1)', [ids])
}

/**
 * Reports whether a member that ran before the time has seen no jump of PostgreSQL's clock: then the caller's
 * machine was paused.
 */
export async function hasSeenNoJump(database: Queryable, since: Date): Promise<boolean> {
  const { rowCount } = await database.query(
    `select from members m where clock_agrees and started_at < $1 and ${isLive('m')} limit 1`,
    [since],
  )
  return rowCount === 1
}

export interface WorkerRow {
  readonly id: string
  readonly host: string
  readonly startedAt: Date
  readonly seenAt: Date
  /** Whether the worker takes partitions. */
  readonly available: boolean
  readonly live: boolean
  readonly partitions: readonly number[]
}

export async function listWorkers(database: Queryable): Promise<WorkerRow[]> {
  const { rows } = await database.query<WorkerRow>(
    `select id, host, started_at as "startedAt", seen_at as "seenAt", 'partition' = any (takes) as available,
            ${isLive('m')} as live,
            array(select key::integer from owned o where o.member = m.id and kind = 'partition' order by 1) as partitions
       from members m where role <> 'smpp-server' order by started_at, id`,
  )
  return rows
}
