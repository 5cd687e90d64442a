/**
 * What a due deadline costs when few others are pending and when very many are: the statement of the timers itself,
 * planned as in the gateway's processes, on rows that were really recorded.
 */
import { takeExpired } from '../../src/records/messages/expire.ts'
import { inTransaction, type Database } from '../../src/platform/database.ts'
import { createMsgKey } from '../../src/contract/msg-key.ts'
import { withProgress } from '../support/progress.ts'

export interface DeadlineCost {
  readonly pending: number
  /** Microseconds for each row that was due; the median of the rounds. */
  readonly microsPerDue: number
  /** The line of the plan that finds the due rows. */
  readonly plan: string
}

const due = 500
const rounds = 15

/** `database` must be empty and migrated. Measures with each number of pending deadlines, in the order given. */
export async function measureDeadlines(
  database: Database,
  sizes: readonly number[],
): Promise<DeadlineCost[]> {
  const costs: DeadlineCost[] = []
  let pending = 0
  for (const size of sizes) {
    await withProgress(addPending(database, size - pending), () => `adding deadlines up to ${size}`)
    pending = size
    await database.query('analyze in_flight')
    const microsPerDue = await withProgress(timeOf(database), () => `timing due deadlines among ${size}`)
    costs.push({ pending, microsPerDue, plan: await planOf(database) })
  }
  return costs
}

async function addPending(database: Database, count: number): Promise<void> {
  await addRows(database, count, `now() + interval '1 hour' + n * interval '10 ms'`)
}

/** Rows as intake writes them; made by the server, because a million take a minute otherwise. */
async function addRows(database: Database, count: number, dueAt: string): Promise<void> {
  // All of one day, so that the messages have their partition.
  const key = createMsgKey('00', new Date()).slice(0, 19)
  const unique = `$2::text || upper(lpad(to_hex(n), 13, '0'))`
  const first = await database.query<{ n: number }>('select count(*)::int as n from in_flight')
  await inTransaction(database, async (transaction) => {
    const values = [count, key, first.rows[0]!.n]
    const numbers = `generate_series($3::int + 1, $3::int + $1::int) n`
    await transaction.query(
      `insert into messages (msg_key, account_id, recipient, flow, accepted_at)
       select ${unique}, 1, '01012345678', '[{"channel":"sms","from":"0212345678","text":"due"}]', now() from ${numbers}`,
      values,
    )
    await transaction.query(
      `insert into in_flight (msg_key, account_id, channel, msg_type, step, steps, try, state, due_at)
       select ${unique}, 1, 'sms', 'SMS', 1, 1, 1, 'released', ${dueAt} from ${numbers}`,
      values,
    )
  })
}

async function timeOf(database: Database): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    await addRows(database, due, `now() - interval '1 second'`)
    await inTransaction(database, async (transaction) => {
      const began = performance.now()
      const expired = await takeExpired(transaction, new Date(), due)
      times.push(((performance.now() - began) * 1000) / expired.length)
      if (expired.length !== due) throw new Error(`${expired.length} of ${due} due rows were taken`)
      await transaction.query('delete from in_flight where msg_key = any($1)', [
        expired.map(({ msgKey }) => msgKey),
      ])
    })
  }
  return times.toSorted((one, other) => one - other)[Math.floor(rounds / 2)]!
}

async function planOf(database: Database): Promise<string> {
  const { rows } = await database.query<{ 'QUERY PLAN': string }>(
    `explain select msg_key from in_flight where due_at <= now() order by due_at limit 500 for update skip locked`,
  )
  const lines = rows.map((row) => row['QUERY PLAN'].trim())
  return (
    lines
      .find((line) => line.includes('Scan'))
      ?.replace(/^->\s*/, '')
      .replace(/\s*\(.*/, '') ?? 'no scan'
  )
}
