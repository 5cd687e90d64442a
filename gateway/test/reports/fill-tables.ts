/** A database with a great many reports that nobody has collected: made by the server, spread over all days that are kept. */
import { inTransaction, type Database } from '../../src/platform/database.ts'
import { dayOf, ensureDay, maintainPartitions } from '../../src/records/partitions.ts'

export interface Size {
  /** Of account 1, within the polling lifetime. */
  readonly pending: number
  /** Of account 1, before those: expired from polling, kept for inquiries. */
  readonly expired: number
  /** Accounts beside it, each with some. */
  readonly accounts: number
  readonly each: number
}

const dayMs = 86_400_000
const retentionDays = 30

export async function fill(database: Database, { pending, expired, accounts, each }: Size): Promise<void> {
  const now = new Date()
  await maintainPartitions(database, retentionDays, now)
  for (let ago = retentionDays; ago > 1; ago--)
    await ensureDay(database, new Date(now.getTime() - ago * dayMs))
  await inTransaction(database, async (transaction) => {
    await transaction.query(`set local synchronous_commit = off`)
    const rows = (account: string, seq: string, agoMinutes: string, from: string): Promise<unknown> =>
      transaction.query(
        `insert into reports (msg_key, step, account_id, seq, service_type, msg_type, sent_at, reported_at, report_code,
                              report_text, carrier, parts, ref, created_at)
         select to_char(at at time zone 'utc', 'YYYYMMDDHH24MISSMS') || '00' || upper(lpad(to_hex(a * 10000000::bigint + seq), 13, '0')),
                1, a, seq, 'SMS', 'SM', at, at, '10000', 'Delivered', '10000', 1, 'order-' || seq, at
           from (select ${account} as a, ${seq} as seq, now() - (${agoMinutes}) * interval '1 minute' as at from ${from}) r`,
      )
    // Four days ago, and through the last two: both the range that is stepped over and the one that is read.
    if (expired > 0) {
      await rows('1', 'n', `7200 - 1400.0 * n / ${expired}`, `generate_series(1, ${expired}) n`)
    }
    await rows('1', `${expired} + n`, `2880 - 2870.0 * n / ${pending}`, `generate_series(1, ${pending}) n`)
    await rows(
      'account',
      'n',
      `2880 - 2870.0 * n / ${each}`,
      `generate_series(2, ${accounts + 1}) account, generate_series(1, ${each}) n`,
    )
    await transaction.query(
      `insert into report_sequences (account_id, last_seq)
       select n, case when n = 1 then ${expired + pending} else ${each} end from generate_series(1, ${accounts + 1}) n`,
    )
  })
  await database.query('analyze')
  const [first, last] = [dayOf(now, -retentionDays), dayOf(now)]
  process.stdout.write(
    `filled: ${pending} pending and ${expired} expired of one account, ${accounts} others (${first} to ${last})\n`,
  )
}
