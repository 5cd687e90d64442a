/** SQL of the parked table; its only writer. */
import { createHash } from 'node:crypto'
import type { Queryable } from '../../platform/database.ts'
import type { ParkedJob, ParkedStage } from './read.ts'

export interface ParkedRow extends ParkedJob {
  readonly id: number
  readonly times: number
  readonly parkedAt: Date
}

const columns = 'id, stage, msg_key as "msgKey", reason, payload, times, parked_at as "parkedAt"'

/** A job that is parked again updates its row, so that a repeated delivery after a crash adds none. */
export async function saveParked(database: Queryable, jobs: readonly ParkedJob[]): Promise<void> {
  for (const { stage, msgKey, reason, payload } of jobs) {
    const digest = createHash('sha256').update(`${stage}\n`).update(payload).digest('hex')
    await database.query(
      `insert into parked (digest, stage, msg_key, reason, payload) values ($1, $2, $3, $4, $5)
       on conflict (digest) do update
         set times = parked.times + 1, parked_at = now(), reason = coalesce(excluded.reason, parked.reason)`,
      [digest, stage, msgKey, reason, payload],
    )
  }
}

/** In the order in which they were parked, after `afterId`; jobs that two workers store at the same time may swap. */
export async function listParked(
  database: Queryable,
  afterId: number,
  limit: number,
  stage: ParkedStage | null = null,
): Promise<ParkedRow[]> {
  const result = await database.query<ParkedRow>(
    `select ${columns} from parked where id > $1 and ($3::text is null or stage = $3) order by id limit $2`,
    [afterId, limit, stage],
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

export async function countParked(database: Queryable): Promise<number> {
  const result = await database.query<{ count: number }>('select count(*) as count from parked')
  return result.rows[0]!.count
}
