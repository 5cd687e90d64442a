import { createMsgKey } from '../../../src/contract/msg-key.ts'
import type { AccountName } from './accounts.ts'
import { getAccountClient, sql } from './installation.ts'

export async function findTestAccountId(name: AccountName): Promise<number> {
  const { clientId } = (await getAccountClient(name)).credentials
  const [row] = await sql<{ id: number }>('select id from accounts where client_id = $1', [clientId])
  return row!.id
}

export const minute = 60_000
export const day = 86_400_000

/** Inserts reports written `ageMs` ago and `afterMs` after acceptance. Returns their keys in polling order. */
export async function insertBackdatedReports(
  name: AccountName,
  count: number,
  ageMs = 0,
  afterMs = 0,
): Promise<string[]> {
  const at = new Date(Date.now() - ageMs)
  const acceptedAt = new Date(at.getTime() - afterMs)
  await makePartition(acceptedAt)
  const accountId = await findTestAccountId(name)
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

/** Creates the partition of a past day: the worker creates none for past days. */
async function makePartition(at: Date): Promise<void> {
  const [from, to] = [at, new Date(at.getTime() + day)].map((time) =>
    time.toISOString().slice(0, 10).replaceAll('-', ''),
  )
  await sql(
    `create table if not exists reports_${from} partition of reports for values from ('${from}') to ('${to}')`,
  )
}
