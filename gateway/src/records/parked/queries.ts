/** SQL of the parked table; its only writer. */
import { createHash } from 'node:crypto'
import { isMsgKey } from '../../contract/msg-key.ts'
import { inTransaction, type Database, type Queryable } from '../../platform/database.ts'
import { scopeOf } from '../../platform/transient.ts'
import { appendToLedger, countByDay, type CountedMessage } from '../ledger/queries.ts'
import { dayOfKey } from '../partitions.ts'
import { asRecord, parse, type ParkedJob, type ParkedStage } from './read.ts'

export interface ParkedRow extends ParkedJob {
  readonly id: number
  readonly times: number
  readonly parkedAt: Date
}

const columns = 'id, stage, msg_key as "msgKey", reason, payload, times, parked_at as "parkedAt"'

/**
 * A job that is parked again updates its row, so that a repeated delivery after a crash adds none. A message that intake
 * could not record is counted with its first row: it was not lost in the first queue. A job that cannot be counted is saved
 * all the same, because nothing else takes it out of the parking queue.
 */
export async function saveParked(database: Database, jobs: readonly ParkedJob[]): Promise<void> {
  try {
    await save(database, jobs)
  } catch (error) {
    if (scopeOf(error) !== 'item') throw error
    if (jobs.length === 1) await save(database, jobs, { count: false })
    else for (const job of jobs) await saveParked(database, [job])
  }
}

function save(database: Database, jobs: readonly ParkedJob[], { count } = { count: true }): Promise<void> {
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
      if (count && stage === 'intake' && saved.rows[0]?.isNew === true)
        await appendToLedger(transaction, 'received', countByDay(confirmedOf(payload)))
    }
  })
}

const maxAccountId = 2 ** 31 - 1
const maxAcceptedAt = Date.UTC(9999, 11, 31)

/** The message as its API process counted it; none when the job does not say so, or says what no process writes. */
function confirmedOf(payload: Buffer): CountedMessage[] {
  const { msgKey, accountId, acceptedBy, acceptedAt } = asRecord(parse(payload))
  if (typeof msgKey !== 'string' || !isMsgKey(msgKey) || dayOfKey(msgKey) === undefined) return []
  if (!isIntegerWithin(accountId, maxAccountId) || !isIntegerWithin(acceptedAt, maxAcceptedAt)) return []
  if (typeof acceptedBy !== 'string' || acceptedBy.includes('\u0000') || acceptedBy.length > 32) return []
  return [{ msgKey, accountId, acceptedBy, acceptedAt }]
}

function isIntegerWithin(value: unknown, max: number): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max
}

export interface ParkedFilter {
  readonly stage?: ParkedStage | null | undefined
  /** Null: jobs without a reason. Undefined: whatever the reason. */
  readonly reason?: string | null | undefined
}

/** `place` adds a value to those of the query, and returns how the SQL names it. */
export function parkedConditions(
  { stage, reason }: ParkedFilter,
  place: (value: unknown) => string,
): readonly string[] {
  return [
    ...(stage === null || stage === undefined ? [] : [`stage = ${place(stage)}`]),
    ...(reason === undefined ? [] : [reason === null ? 'reason is null' : `reason = ${place(reason)}`]),
  ]
}

/** In the order in which they were parked, after `afterId`; jobs that two workers store at the same time may swap. */
export async function listParked(
  database: Queryable,
  afterId: number,
  limit: number,
  filter: ParkedFilter = {},
): Promise<ParkedRow[]> {
  const values: unknown[] = [afterId, limit]
  const conditions = ['id > $1', ...parkedConditions(filter, (value) => `$${values.push(value)}`)]
  const result = await database.query<ParkedRow>(
    `select ${columns} from parked where ${conditions.join(' and ')} order by id limit $2`,
    values,
  )
  return result.rows
}

export async function findParked(database: Queryable, id: number): Promise<ParkedRow | null> {
  const result = await database.query<ParkedRow>(`select ${columns} from parked where id = $1`, [id])
  return result.rows[0] ?? null
}

/** False when it was parked again meanwhile; the row stays then. */
export async function removeParked(
  database: Queryable,
  row: Pick<ParkedRow, 'id' | 'times'>,
): Promise<boolean> {
  const result = await database.query('delete from parked where id = $1 and times = $2', [row.id, row.times])
  return result.rowCount === 1
}

/** Of messages that are closed: their jobs have no effect any more. */
export async function eraseParked(transaction: Queryable, msgKeys: readonly string[]): Promise<void> {
  await transaction.query('delete from parked where msg_key = any($1)', [msgKeys])
}

/**
 * Removes jobs that were parked before the time and whose message is closed or was never named. Those of intake and opt-outs
 * stay: messages that were never recorded, and what recipients decided, would be lost with them. Returns how many.
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
