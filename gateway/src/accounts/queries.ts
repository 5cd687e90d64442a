/** SQL of the accounts table; its only writer. */
import type { Queryable } from '../platform/database.ts'
import type { AccountCredentials } from './account.ts'

const columns = `id, client_id as "clientId", name, blocked, may_poll as "mayPoll", part_counts as "partCounts",
  token_epoch as "tokenEpoch", password_hash as "passwordHash"`

export interface NewAccount {
  readonly clientId: string
  readonly name: string
  readonly passwordHash: string
  readonly mayPoll: boolean
  readonly partCounts: boolean
}

export async function insertAccount(database: Queryable, account: NewAccount): Promise<number> {
  const result = await database.query<{ id: number }>(
    `insert into accounts (client_id, name, password_hash, may_poll, part_counts)
     values ($1, $2, $3, $4, $5) on conflict (client_id) do nothing returning id`,
    [account.clientId, account.name, account.passwordHash, account.mayPoll, account.partCounts],
  )
  const id = result.rows[0]?.id
  if (id === undefined)
    throw new Error(`client id '${account.clientId}' is taken; choose another with --client-id`)
  return id
}

export async function loadAccounts(database: Queryable): Promise<AccountCredentials[]> {
  const result = await database.query<AccountCredentials>(`select ${columns} from accounts`)
  return result.rows
}

/** Changes whenever any account does. */
export async function accountsVersion(database: Queryable): Promise<string> {
  const result = await database.query<{ version: string }>(
    // Row versions, not a time: a change may commit after one that began later.
    `select count(*) || '/' || coalesce(sum(xmin::text::bigint), 0) as version from accounts`,
  )
  return result.rows[0]!.version
}

/** Makes every token issued so far invalid; false when there is no such account. */
export async function revokeTokens(database: Queryable, clientId: string): Promise<boolean> {
  const result = await database.query(
    'update accounts set token_epoch = token_epoch + 1, updated_at = now() where client_id = $1',
    [clientId],
  )
  return result.rowCount === 1
}

export async function setBlocked(database: Queryable, clientId: string, blocked: boolean): Promise<boolean> {
  const result = await database.query(
    'update accounts set blocked = $2, updated_at = now() where client_id = $1',
    [clientId, blocked],
  )
  return result.rowCount === 1
}
