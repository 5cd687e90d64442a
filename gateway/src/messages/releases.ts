/** Steps that are owed to their route's queue. */
import type { Step } from '../channels/channel.ts'
import type { Queryable } from '../platform/database.ts'
import type { RouteJob } from './jobs.ts'

interface OwedRow {
  readonly msgKey: string
  readonly step: number
  readonly try: number
  readonly to: string
  readonly flow: readonly Step[]
  readonly dueAt: Date
}

/** The jobs of these messages that are still owed. */
export async function readOwed(database: Queryable, keys: readonly string[]): Promise<RouteJob[]> {
  const result = await database.query<OwedRow>(
    `select f.msg_key as "msgKey", f.step, f.try, m.recipient as to, m.flow, f.due_at as "dueAt"
       from releases r join in_flight f on f.msg_key = r.msg_key join messages m on m.msg_key = r.msg_key
      where r.msg_key = any($1)`,
    [keys],
  )
  return result.rows.map(({ flow, dueAt, ...row }) => ({
    v: 1,
    ...row,
    // Taken apart here: PostgreSQL cannot look into JSON that holds U+0000.
    content: flow[row.step - 1]!,
    dueAt: dueAt.getTime(),
  }))
}

/** Owed for longer than a process needs to pay: whoever started the step has died. */
export async function findForgotten(database: Queryable, before: Date, limit: number): Promise<string[]> {
  const result = await database.query<{ msg_key: string }>(
    'select msg_key from releases where created_at < $1 order by created_at limit $2',
    [before, limit],
  )
  return result.rows.map((row) => row.msg_key)
}

/** Paid, or not needed any more. What is owed for a later step of the same message stays. */
export async function removeOwed(
  database: Queryable,
  keys: readonly string[],
  paid: readonly Pick<RouteJob, 'msgKey' | 'step'>[],
): Promise<void> {
  await database.query(
    `delete from releases r
      where r.msg_key = any($1)
        and (exists (select from unnest($2::text[], $3::smallint[]) as p (msg_key, step)
                      where p.msg_key = r.msg_key and p.step >= r.step)
             or not exists (select from in_flight f where f.msg_key = r.msg_key))`,
    [keys, paid.map((job) => job.msgKey), paid.map((job) => job.step)],
  )
}
