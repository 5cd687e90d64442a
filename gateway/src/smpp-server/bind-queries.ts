/**
 * SQL of smpp_servers, smpp_binds and smpp_deliverers; their only writer. A bind counts while the process that has it is alive: it
 * writes a heartbeat every second, and a process of the same machine can tell at once that it has ended.
 */
import { columns, queryBulk } from '../platform/bulk.ts'
import { inTransaction, type Database, type Queryable } from '../platform/database.ts'

/** After this long without a heartbeat a process has ended, for those on other machines. */
export const silentMs = 7_000

export const bindKinds = {
  bind_transmitter: 'transmitter',
  bind_receiver: 'receiver',
  bind_transceiver: 'transceiver',
} as const

export interface StoredBind {
  readonly id: string
  readonly accountId: number
  readonly kind: (typeof bindKinds)[keyof typeof bindKinds]
  readonly address: string
}

/** A heartbeat from the future was written before PostgreSQL moved to a host whose clock is behind. */
const alive = (server: string): string =>
  `exists (select from smpp_servers s where s.id = ${server}
            and s.seen_at between now() - interval '${silentMs} ms' and now() + interval '${silentMs} ms')`

const lockClass = 0x736d7070

/** False: the account has as many binds as it may, over all processes. Binds of one account are counted one after the other. */
export function insertBind(
  database: Database,
  server: string,
  { id, accountId, kind, address }: StoredBind,
  maxBinds: number,
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    await transaction.query('select pg_advisory_xact_lock($1, $2)', [lockClass, accountId])
    const { rowCount } = await transaction.query({
      name: 'insert-smpp-bind',
      text: `insert into smpp_binds (id, server, account_id, kind, address)
             select $1, $2, $3, $4, $5
              where (select count(*) from smpp_binds b where b.account_id = $3 and (b.server = $2 or ${alive('b.server')})) < $6`,
      values: [id, server, accountId, kind, address, maxBinds],
    })
    return rowCount === 1
  })
}

/** Those that were counted by this process alone while PostgreSQL did not answer, or that were taken for ended. */
export async function insertUncounted(
  database: Queryable,
  server: string,
  binds: readonly StoredBind[],
): Promise<void> {
  await queryBulk(database, {
    text: `insert into smpp_binds (id, server, account_id, kind, address)
           select id, $5, account_id, kind, address
             from unnest($1::text[], $2::int[], $3::text[], $4::text[]) as b (id, account_id, kind, address)
           on conflict (id) do nothing`,
    columns: columns(binds, ({ id, accountId, kind, address }) => [id, accountId, kind, address]),
    values: [server],
  })
}

export async function deleteBinds(database: Queryable, ids: readonly string[]): Promise<void> {
  await database.query({
    name: 'delete-smpp-binds',
    text: 'delete from smpp_binds where id = any ($1)',
    values: [ids],
  })
}

/** True: its row is new, and those of its binds may be gone. */
export async function writeHeartbeat(
  database: Queryable,
  server: string,
  machine: string | null,
): Promise<boolean> {
  const { rows } = await database.query<{ isNew: boolean }>({
    name: 'smpp-heartbeat',
    text: `insert into smpp_servers (id, seen_at, machine, pid) values ($1, now(), $2, $3)
           on conflict (id) do update set seen_at = now() returning xmax = 0 as "isNew"`,
    values: [server, machine, process.pid],
  })
  return rows[0]!.isNew
}

/** The other processes of the machine. */
export async function readServersOf(
  database: Queryable,
  machine: string,
  server: string,
): Promise<{ readonly id: string; readonly pid: number }[]> {
  const { rows } = await database.query<{ id: string; pid: number }>(
    'select id, pid from smpp_servers where machine = $1 and id <> $2 and pid is not null',
    [machine, server],
  )
  return rows
}

/** Processes that have ended, with their binds. */
export async function removeServers(database: Database, ids: readonly string[]): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await transaction.query('delete from smpp_servers where id = any ($1)', [ids])
    await transaction.query('delete from smpp_binds where server = any ($1)', [ids])
    await transaction.query('delete from smpp_deliverers where server = any ($1)', [ids])
  })
}

/** Those that have been silent for a minute. */
export async function removeSilent(database: Database): Promise<void> {
  const { rows } = await database.query<{ id: string }>(
    `select id from smpp_servers where seen_at < now() - interval '1 minute'
     union select server from smpp_binds b
            where not exists (select from smpp_servers s where s.id = b.server) and bound_at < now() - interval '1 minute'`,
  )
  if (rows.length > 0)
    await removeServers(
      database,
      rows.map(({ id }) => id),
    )
}

/** What is delivered to an account. */
export type DeliveryKind = 'receipt' | 'reply'

export interface Claim {
  readonly accountId: number
  readonly kind: DeliveryKind
}

/** Returns the accounts of the list that this process delivers for, and no other live process does. Writes only what it takes over. */
export async function claimDeliveries(
  database: Queryable,
  server: string,
  claims: readonly Claim[],
): Promise<readonly Claim[]> {
  const { rows } = await database.query<Claim>({
    name: 'claim-smpp-deliveries',
    text: `with wanted as (
             select c.account_id, c.kind, d.server from unnest($2::int[], $3::text[]) as c (account_id, kind)
               left join smpp_deliverers d on d.account_id = c.account_id and d.kind = c.kind),
           taken as (
             insert into smpp_deliverers as d (account_id, kind, server)
             select account_id, kind, $1 from wanted w where w.server is null or (w.server <> $1 and not ${alive('w.server')})
              order by 1, 2
             on conflict (account_id, kind) do update set server = excluded.server
               where d.server = excluded.server or not ${alive('d.server')}
             returning account_id, kind)
           select account_id as "accountId", kind from wanted where server = $1
           union all select account_id, kind from taken`,
    values: [server, claims.map(({ accountId }) => accountId), claims.map(({ kind }) => kind)],
  })
  return rows
}

export async function releaseDeliveries(
  database: Queryable,
  server: string,
  claims: readonly Claim[],
): Promise<void> {
  await database.query(
    `delete from smpp_deliverers d using unnest($2::int[], $3::text[]) as c (account_id, kind)
      where d.account_id = c.account_id and d.kind = c.kind and d.server = $1`,
    [server, claims.map(({ accountId }) => accountId), claims.map(({ kind }) => kind)],
  )
}
