/**
 * Fills the store of a gateway with closed messages as the pipeline leaves them: a message, its attempt with
 * the receipt, its acknowledged report, and the ledger. Messages are spread evenly over the days of the
 * retention and inserted in key order, day by day, into partitions that are indexed afterwards.
 */
import type pg from 'pg'
import { toKeyDay, ensureDay } from '../../gateway/src/records/partitions.ts'
import { routeId } from '../gateway.ts'

export const filledDays = 30
const dayMs = 86_400_000
const tables = ['messages', 'attempts', 'reports'] as const

export interface FilledStore {
  readonly messages: number
  readonly seconds: number
  /** Size of the tables and their indexes, without the rest of the database. */
  readonly bytes: number
}

export async function fillStore(
  database: pg.Pool,
  messages: number,
  log: (text: string) => void,
): Promise<FilledStore> {
  const began = performance.now()
  const accounts = await database.query<{ id: number }>('select id from accounts order by id limit 1')
  const accountId = accounts.rows[0]!.id
  const today = Date.now()
  for (let index = 0; index < filledDays; index++) {
    const [first, next] = [index, index + 1].map((day) => Math.floor((messages * day) / filledDays))
    const day = new Date(today - (filledDays - 1 - index) * dayMs)
    await fillDay(database, { day, accountId, first: first!, count: next! - first! })
    const seconds = (performance.now() - began) / 1000
    const rate = Math.round(next! / seconds)
    log(`stored ${next!} of ${messages} messages, ${Math.round(seconds)} s, ${rate} per second`)
  }
  await acknowledge(database, accountId, messages)
  log('writing a checkpoint')
  // Prevents the filled data from being written during the measurement.
  await database.query('checkpoint')
  const size = await database.query<{ bytes: string }>(
    `select sum(pg_total_relation_size(inhrelid)) as bytes from pg_inherits
      where inhparent in ('messages'::regclass, 'attempts'::regclass, 'reports'::regclass)`,
  )
  return { messages, seconds: (performance.now() - began) / 1000, bytes: Number(size.rows[0]!.bytes) }
}

interface Day {
  readonly day: Date
  readonly accountId: number
  /** Number of the first message of the day, from 0. */
  readonly first: number
  readonly count: number
}

async function fillDay(database: pg.Pool, { day, accountId, first, count }: Day): Promise<void> {
  await ensureDay(database, day)
  const name = toKeyDay(day)
  for (const table of tables) await detach(database, `${table}_${name}`, table)
  // Messages of today end before now, so that new messages of the gateway have higher keys.
  const start = Date.parse(`${name.slice(0, 4)}-${name.slice(4, 6)}-${name.slice(6)}T00:00:00Z`)
  const stepMs = (Math.min(Date.now(), start + dayMs) - start) / (count + 1)
  const values = [accountId, first, count, new Date(start), stepMs]
  const insert = (table: string, columns: string, select: string): Promise<unknown> =>
    database.query(`insert into ${table}_${name} (${columns}) select ${select} from (${rows}) as row`, values)
  // Statements run concurrently, because each uses one core.
  await Promise.all([
    insert(
      'messages',
      'msg_key, account_id, recipient, flow, ref, accepted_at',
      `msg_key, $1, recipient, '${flow}'::json, ref, at`,
    ),
    insert(
      'attempts',
      `msg_key, step, try, part, parts, route_id, recipient, outcome, carrier_id, submitted_at, result, receipt_code,
       result_at, received_at, receipts`,
      `msg_key, 0, 1, 1, 1, '${routeId}', recipient, 'accepted', upper(lpad(to_hex(n), 12, '0')),
       at + interval '40 ms', 'delivered', '000', at + interval '2 s', at + interval '2 s', 1`,
    ),
    insert(
      'reports',
      `msg_key, step, account_id, seq, service_type, msg_type, sent_at, reported_at, report_code, report_text, carrier,
       parts, ref, created_at`,
      `msg_key, 0, $1, n, 'SMS', 'SM', at + interval '40 ms', at + interval '2 s', '10000', 'Success', '10000', 1, ref,
       at + interval '2 s'`,
    ),
  ])
  // One sort builds an index in a third of the time of single entries. The vacuum keeps autovacuum from
  // starting during the measurement.
  await Promise.all(
    tables.map(async (table) => {
      const bounds = `from ('${name}') to ('${toKeyDay(day, 1)}')`
      await database.query(`alter table ${table} attach partition ${table}_${name} for values ${bounds}`)
      await database.query(`vacuum (analyze) ${table}_${name}`)
    }),
  )
  await database.query(
    'insert into ledger (day, account_id, accepted, closed, folded) values ($1::date, $2, $3, $3, true)',
    [name, accountId, count],
  )
}

/** Detaches a partition and drops its indexes; attaching it rebuilds them. */
async function detach(database: pg.Pool, partition: string, table: string): Promise<void> {
  await database.query(`alter table ${table} detach partition ${partition}`)
  const indexes = await database.query<{ name: string; constraint: string | null }>(
    `select i.indexrelid::regclass::text as name, c.conname as constraint
       from pg_index i left join pg_constraint c on c.conindid = i.indexrelid
      where i.indrelid = $1::regclass`,
    [partition],
  )
  for (const { name, constraint } of indexes.rows)
    await database.query(
      constraint === null ? `drop index ${name}` : `alter table ${partition} drop constraint ${constraint}`,
    )
}

/** Parameters: $1 account, $2 first number, $3 count, $4 start of the day, $5 ms between two messages. */
const rows = `
  select n, at, '010' || lpad((n % 100000000)::text, 8, '0') as recipient,
         'order-2026-' || lpad(n::text, 10, '0') as ref,
         to_char(at at time zone 'UTC', 'YYYYMMDDHH24MISSMS') || '01' || upper(substr(md5(n::text), 1, 13)) as msg_key
    from (select $2::bigint + i as n, $4::timestamptz + i * $5::float8 * interval '1 ms' as at, $1::int
            from generate_series(1, $3::int) as i) as numbered`

const flow = JSON.stringify([
  { channel: 'sms', from: '15881588', text: '[포스턴] 인증번호는 482913 입니다. 3분 안에 입력해 주세요.' },
])

/** Acknowledges every report. The next report gets the number after the last of them. */
async function acknowledge(database: pg.Pool, accountId: number, messages: number): Promise<void> {
  await database.query(
    `insert into report_sequences (account_id, last_seq) values ($1, $2)
     on conflict (account_id) do update set last_seq = excluded.last_seq`,
    [accountId, messages],
  )
  await database.query(
    `insert into report_polls (account_id, acked_seq) values ($1, $2)
     on conflict (account_id) do update set acked_seq = excluded.acked_seq`,
    [accountId, messages],
  )
}
