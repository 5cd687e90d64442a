/**
 * SQL of the tables `workers` and `dispatch_partitions`, their only writer. All times are PostgreSQL's. Called by the
 * ownership of partitions and by the command line.
 */
import type { Queryable } from '../../platform/database.ts'
import { machine } from '../../platform/machine.ts'
import { assignmentVersion } from './assign-partitions.ts'

/**
 * A worker that has not renewed its row for this long owns nothing any more. It stops its routes before that, see
 * `ownership.ts`.
 */
const leaseMs = 7_000
const forgetAfter = '1 minute'
/**
 * How long the unsettled receipts of a silent worker hold back deadlines. The broker passes them to another worker within three of its
 * heartbeats of 3 s.
 */
const receiptsHeldFor = '10 seconds'

/**
 * SQL: the worker renewed its row in time. A row from the future was written before PostgreSQL moved to a host whose clock
 * is behind; a worker that lives has written it again.
 */
const isLive = (leaseMs: string): string =>
  `seen_at between now() - ${leaseMs} * interval '1 millisecond' and now() + ${leaseMs} * interval '1 millisecond'`

export interface WorkerIdentity {
  readonly id: string
  /** For operators: host and process. */
  readonly host: string
}

export interface Heartbeat {
  /** Other workers that renew their rows and take partitions. */
  readonly others: readonly string[]
  /** Those of them that assign partitions as this version does. */
  readonly peers: readonly string[]
  /** Partitions of this worker. */
  readonly own: readonly number[]
  /** Partitions of others that renew their rows. */
  readonly held: readonly number[]
  /** Available workers on this machine that renewed their rows in time, and the ids of their processes. */
  readonly neighbours: readonly { readonly id: string; readonly pid: number }[]
  /** Other workers have settled all receipts that were published before this time; null if there are none. */
  readonly othersSettledThrough: Date | null
}

/** Renews the row of a worker and returns what it must know, in one statement. */
export async function beat(
  database: Queryable,
  { id, host }: WorkerIdentity,
  available: boolean,
  clockAgrees: boolean,
  oldestReceiptAt: Date | null = null,
): Promise<Heartbeat> {
  const result = await database.query<Heartbeat>({
    name: 'worker-heartbeat',
    text: `with renewed as (
             insert into workers (id, host, available, clock_agrees, assignment_version, machine, pid, oldest_receipt_at)
             values ($1, $2, $3, $5, $6, $7, $8, $9)
             on conflict (id) do update
               set seen_at = now(), available = excluded.available, clock_agrees = excluded.clock_agrees,
                   oldest_receipt_at = excluded.oldest_receipt_at),
           forgotten as (
             delete from workers where id = any (array(
               select id from workers
                where id <> $1 and seen_at not between now() - interval '${forgetAfter}' and now() + interval '${forgetAfter}'
                  for update skip locked))),
           live as (select id, available, assignment_version, machine, pid from workers
                     where id <> $1 and ${isLive('$4')})
           select array(select id from live where available) as others,
                  array(select id from live where available and assignment_version = $6) as peers,
                  array(select partition from dispatch_partitions where worker = $1) as own,
                  array(select p.partition from dispatch_partitions p join live l on l.id = p.worker) as held,
                  (select coalesce(json_agg(json_build_object('id', id, 'pid', pid)), '[]') from live where available and machine = $7) as neighbours,
                  (select min(coalesce(oldest_receipt_at, seen_at)) from workers
                    where id <> $1 and seen_at > now() - interval '${receiptsHeldFor}') as "othersSettledThrough"`,
    values: [
      id,
      host,
      available,
      leaseMs,
      clockAgrees,
      assignmentVersion,
      machine,
      process.pid,
      oldestReceiptAt,
    ],
  })
  return result.rows[0]!
}

/** Returns whether a worker that ran before the time has seen no jump of PostgreSQL's clock: then the caller's machine was paused. */
export async function hasSeenNoJump(database: Queryable, since: Date): Promise<boolean> {
  const { rowCount } = await database.query(
    `select from workers where clock_agrees and started_at < $1 and ${isLive('$2')} limit 1`,
    [since, leaseMs],
  )
  return rowCount === 1
}

/** Takes the partitions that are free or whose worker is gone; returns those that it got. */
export async function takePartitions(
  database: Queryable,
  id: string,
  partitions: readonly number[],
): Promise<number[]> {
  const result = await database.query<{ partition: number }>({
    name: 'take-partitions',
    text: `insert into dispatch_partitions as p (partition, worker)
           select n, $1 from unnest($2::smallint[]) as w (n) order by n
           on conflict (partition) do update set worker = excluded.worker, since = now()
            where p.worker is null or p.worker = excluded.worker
               or not exists (select from workers w
                               where w.id = p.worker and ${isLive('$3')})
           returning partition`,
    values: [id, partitions, leaseMs],
  })
  return result.rows.map(({ partition }) => partition)
}

export async function freePartitions(
  database: Queryable,
  id: string,
  partitions: readonly number[],
): Promise<void> {
  await database.query({
    name: 'free-partitions',
    text: 'update dispatch_partitions set worker = null where partition = any ($2::smallint[]) and worker = $1',
    values: [id, partitions],
  })
}

export async function removeWorker(database: Queryable, id: string): Promise<void> {
  await database.query('update dispatch_partitions set worker = null where worker = $1', [id])
  await database.query('delete from workers where id = $1', [id])
}

/**
 * Frees the partitions of a worker whose process has ended. Its row expires later: the receipts that it held have not reached another
 * worker yet.
 */
export async function retireWorker(database: Queryable, id: string): Promise<void> {
  await database.query('update dispatch_partitions set worker = null where worker = $1', [id])
  await database.query('update workers set available = false where id = $1', [id])
}

export interface WorkerRow extends WorkerIdentity {
  readonly startedAt: Date
  readonly seenAt: Date
  readonly available: boolean
  /** It has renewed its row in time. */
  readonly live: boolean
  readonly partitions: readonly number[]
}

export async function listWorkers(database: Queryable): Promise<WorkerRow[]> {
  const result = await database.query<WorkerRow>({
    text: `select id, host, started_at as "startedAt", seen_at as "seenAt", available,
                  ${isLive('$1')} as live,
                  array(select partition from dispatch_partitions where worker = w.id order by 1) as partitions
             from workers w order by started_at, id`,
    values: [leaseMs],
  })
  return result.rows
}
