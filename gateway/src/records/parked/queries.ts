/** SQL of the parked table; its only writer. */
import { createHash } from 'node:crypto'
import { isMsgKey } from '../../contract/msg-key.ts'
import { inTransaction, type Database, type Queryable } from '../../platform/database/database.ts'
import { classifyError } from '../../platform/database/transient.ts'
import { appendToLedger, countByDay, type CountedMessage } from '../ledger/queries.ts'
import { parseKeyDay } from '../partitions.ts'
import { asRecord, parseJob, type ParkedJob, type ParkedStage } from './read.ts'

export interface StoredParkedJob extends ParkedJob {
  readonly id: number
  readonly times: number
  readonly parkedAt: Date
}

const columns = 'id, stage, msg_key as "msgKey", reason, payload, times, parked_at as "parkedAt"'

/**
 * Inserts a job, or updates its row if it is parked again, so that a repeated delivery after a crash adds none. A
 * message that intake could not record is counted with its first row: it was not lost in the intake queue. A job that
 * cannot be counted is saved without its count, because it would block the parking queue.
 */
export async function saveParked(database: Database, jobs: readonly ParkedJob[]): Promise<void> {
  try {
    await save(database, jobs, true)
  } catch (error) {
    if (classifyError(error) !== 'item') throw error
    if (jobs.length === 1) await save(database, jobs, false)
    else for (const job of jobs) await saveParked(database, [job])
  }
}

function save(database: Database, jobs: readonly ParkedJob[], isCounted: boolean): Promise<void> {
  return inTransaction(database, async (transaction) => {
    for (const { stage, msgKey, reason, payload } of jobs) {
      const digest = createHash('sha256').update(`${stage}\n`).update(payload).digest('hex')
      const saved = await transaction.query<{ isNew: boolean }>(
        `insert into parked (digest, stage, msg_key, reason, payload) values ($1, $2, $3, $4, $5)
         on conflict (digest) do update
           set times = parked.times + 1, parked_at = now(), reason = coalesce(excluded.reason, parked.reason)
         returning xmax = 0 as "isNew"`,
        [digest, stage, msgKey, reason, payload],
      )
      if (isCounted && stage === 'intake' && saved.rows[0]?.isNew === true)
        await appendToLedger(transaction, 'received', countByDay(readConfirmed(payload)))
    }
  })
}

const maxAccountId = 2 ** 31 - 1
const maxAcceptedAt = Date.UTC(9999, 11, 31)

/**
 * Returns the message as its API process counted it, or nothing if the job has values that no process writes.
 */
function readConfirmed(payload: Buffer): CountedMessage[] {
  const { msgKey, accountId, acceptedBy, acceptedAt } = asRecord(parseJob(payload))
  if (typeof msgKey !== 'string' || !isMsgKey(msgKey) || parseKeyDay(msgKey) === undefined) return []
  if (!isIntegerWithin(accountId, maxAccountId) || !isIntegerWithin(acceptedAt, maxAcceptedAt)) return []
  if (typeof acceptedBy !== 'string' || acceptedBy.includes('\u0000') || acceptedBy.length > 32) return []
  return [{ msgKey, accountId, acceptedBy, acceptedAt }]
}

function isIntegerWithin(value: unknown, max: number): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max
}

export interface ParkedFilter {
  readonly stage?: ParkedStage | null | undefined
  /** `null` selects jobs without a reason; `undefined` selects any. */
  readonly reason?: string | null | undefined
}

const filterSql = '($1::text is null or stage = $1) and ($2 or reason is not distinct from $3)'

function filterValues({ stage, reason }: ParkedFilter): unknown[] {
  return [stage, reason === undefined, reason]
}

/**
 * Lists jobs after `afterId` in the order in which they were parked; jobs that two workers store concurrently
 * can swap.
 */
export async function listParked(
  database: Queryable,
  afterId: number,
  limit: number,
  filter: ParkedFilter = {},
): Promise<StoredParkedJob[]> {
  const result = await database.query<StoredParkedJob>(
    `select ${columns} from parked where ${filterSql} and id > $4 order by id limit $5`,
    [...filterValues(filter), afterId, limit],
  )
  return result.rows
}

export interface GroupSelection extends ParkedFilter {
  readonly afterId: number
  /** Excludes jobs that were parked later. */
  readonly lastId: number
}

/** Returns the ids of the first jobs of the group; unreadable jobs are left out unless `withUnreadable` is set. */
export async function findGroupIds(
  database: Queryable,
  { afterId, lastId, ...filter }: GroupSelection,
  limit: number,
  { withUnreadable }: { readonly withUnreadable: boolean },
): Promise<number[]> {
  const { rows } = await database.query<{ id: number }>(
    `select id from parked where ${filterSql} and id > $4 and id <= $5 and (stage <> 'unreadable' or $6)
     order by id limit $7`,
    [...filterValues(filter), afterId, lastId, withUnreadable, limit],
  )
  return rows.map(({ id }) => id)
}

export interface ParkedGroup {
  readonly stage: ParkedStage
  readonly reason: string | null
  readonly jobs: number
  /** Highest number of times that a job of the group was parked. */
  readonly times: number
  readonly oldestAt: Date
  readonly newestAt: Date
  readonly lastId: number
}

export interface ParkedGroups {
  readonly groups: readonly ParkedGroup[]
  readonly counted: number
  /** Whether there are more jobs than were counted, or more groups than are returned. */
  readonly more: boolean
}

const maxCounted = 50_000
const maxGroups = 100

/** Counts the oldest parked jobs by stage and reason, largest group first. */
export async function readParkedGroups(database: Queryable): Promise<ParkedGroups> {
  const { rows } = await database.query<ParkedGroup>(
    `select stage, reason, count(*) as jobs, max(times) as times, min(parked_at) as "oldestAt",
            max(parked_at) as "newestAt", max(id) as "lastId"
       from (select id, stage, reason, times, parked_at from parked order by id limit ${maxCounted + 1}) p
      group by stage, reason order by jobs desc, "lastId" limit ${maxGroups + 1}`,
  )
  const groups = rows.slice(0, maxGroups)
  const counted = groups.reduce((sum, { jobs }) => sum + jobs, 0)
  return {
    groups,
    counted: Math.min(counted, maxCounted),
    more: rows.length > maxGroups || counted > maxCounted,
  }
}

export async function findParked(database: Queryable, id: number): Promise<StoredParkedJob | null> {
  const result = await database.query<StoredParkedJob>(`select ${columns} from parked where id = $1`, [id])
  return result.rows[0] ?? null
}

/** Returns false if the job was parked again in the meantime; the row then stays. */
export async function removeParked(
  database: Queryable,
  row: Pick<StoredParkedJob, 'id' | 'times'>,
): Promise<boolean> {
  const result = await database.query('delete from parked where id = $1 and times = $2', [row.id, row.times])
  return result.rowCount === 1
}

/** Removes the jobs of these messages, which must be closed: their jobs no longer have an effect. */
export async function eraseParked(transaction: Queryable, msgKeys: readonly string[]): Promise<void> {
  await transaction.query('delete from parked where msg_key = any($1)', [msgKeys])
}

/**
 * Removes jobs that were parked before the time and whose message is closed or unknown, and returns how many.
 * Jobs of intake and opt-outs stay: messages that were never recorded, and the decisions of recipients, would
 * be lost with them.
 */
export async function removeOldParked(database: Queryable, before: Date): Promise<number> {
  const result = await database.query(
    `delete from parked p where parked_at < $1 and stage not in ('intake', 'opt-outs')
        and not exists (select from in_flight f where f.msg_key = p.msg_key)`,
    [before],
  )
  return result.rowCount ?? 0
}

export async function countParked(database: Queryable): Promise<number> {
  const result = await database.query<{ count: number }>('select count(*) as count from parked')
  return result.rows[0]!.count
}
