/**
 * Writes reports of an earlier day into the gateway's tables, as the gateway would have written them then: a test
 * cannot wait for days.
 */
import { createMsgKey } from '../../src/contract/msg-key.ts'
import type { AccountName } from './accounts.ts'
import { account, sql } from './installation.ts'

export async function accountIdOf(name: AccountName): Promise<number> {
  const { clientId } = (await account(name)).credentials
  const [row] = await sql<{ id: number }>('select id from accounts where client_id = $1', [clientId])
  return row!.id
}

export const minute = 60_000
export const day = 86_400_000

/** Reports that were written `ageMs` ago, `afterMs` after the acceptance, in polling order; returns their keys. */
export async function insertBackdatedReports(
  name: AccountName,
  count: number,
  ageMs = 0,
  afterMs = 0,
): Promise<string[]> {
  const at = new Date(Date.now() - ageMs)
  const acceptedAt = new Date(at.getTime() - afterMs)
  await makePartition(acceptedAt)
  const accountId = await accountIdOf(name)
  const keys = Array.from({ length: count }, () => createMsgKey('00', acceptedAt))
  await sql(
    `with head as (
       insert into report_sequences (account_id, last_seq) values ($1, $3)
       on conflict (account_id) do update set last_seq = report_sequences.last_seq + $3 returning last_seq)
     insert into reports (msg_key, step, account_id, seq, service_type, msg_type, sent_at, reported_at, report_code,
                          report_text, carrier, parts, ref, created_at)
     select key, 1, $1, last_seq - $3 + number, 'SMS', 'SM', $4, $4, '10000', 'Delivered', '', 1, 'backdated', $4
       from head, unnest($2::text[]) with ordinality as backdated (key, number)`,
    [accountId, keys, count, at],
  )
  return keys
}

/** The worker makes partitions for the days ahead only. */
async function makePartition(at: Date): Promise<void> {
  const [from, to] = [at, new Date(at.getTime() + day)].map((time) =>
    time.toISOString().slice(0, 10).replaceAll('-', ''),
  )
  await sql(
    `create table if not exists reports_${from} partition of reports for values from ('${from}') to ('${to}')`,
  )
}
