/** SQL of the accounts table; its only writer. */
import type { Queryable } from '../../platform/database/database.ts'
import { rowVersions } from '../../platform/database/table-cache.ts'
import { credentialsVersion, insertCredential } from './credential-queries.ts'
import { createKeyId } from './key.ts'
import { endpointFamilies, type Account, type AccountSettings } from './account.ts'

const columns = `id, client_id as "clientId", name, blocked, may_poll as "mayPoll", part_counts as "partCounts",
  report_keys as "reportKeys", token_epoch as "tokenEpoch",
  json_build_object('send', send_limit, 'report', report_limit, 'file', file_limit, 'form', form_limit) as limits, lane, weight,
  erase_after_days as "eraseAfterDays", uncertain_fallback as "uncertainFallback",
  smpp_binds as "smppBinds", smpp_system_id as "smppSystemId", smpp_replies as "smppReplies",
  smart_encoding as "smartEncoding", batch_megabytes as "batchMegabytes"`

export interface NewAccount extends AccountSettings {
  readonly clientId: string
  readonly name: string
  /** The hash of the first password. */
  readonly passwordHash: string
}

/** Adds an account and its first password. */
export async function insertAccount(transaction: Queryable, account: NewAccount): Promise<number> {
  const result = await transaction.query<{ id: number }>(
    `insert into accounts (client_id, name, may_poll, part_counts, report_keys,
                           send_limit, report_limit, file_limit, form_limit, lane, weight, erase_after_days, uncertain_fallback,
                           smpp_binds, smpp_system_id, smpp_replies, smart_encoding, batch_megabytes)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18) on conflict (client_id) do nothing returning id`,
    [account.clientId, account.name, ...settingValues(account)],
  )
  const id = result.rows[0]?.id
  if (id === undefined) throw new Error(`client ID '${account.clientId}' is already in use`)
  await insertCredential(transaction, {
    accountId: id,
    keyId: createKeyId(),
    kind: 'password',
    hash: account.passwordHash,
    name: '',
    scopes: null,
    networks: null,
    createdBy: 'account create',
    endsAt: null,
  })
  return id
}

/** Writes all settings. Returns false if the account does not exist. */
export async function updateSettings(
  database: Queryable,
  clientId: string,
  settings: AccountSettings,
): Promise<boolean> {
  const result = await database.query(
    `update accounts set may_poll = $2, part_counts = $3, report_keys = $4, send_limit = $5, report_limit = $6,
                         file_limit = $7, form_limit = $8, lane = $9, weight = $10, erase_after_days = $11, uncertain_fallback = $12,
                         smpp_binds = $13, smpp_system_id = $14, smpp_replies = $15, smart_encoding = $16,
                         batch_megabytes = $17, updated_at = now() where client_id = $1`,
    [clientId, ...settingValues(settings)],
  )
  return result.rowCount === 1
}

function settingValues(settings: AccountSettings): unknown[] {
  const { mayPoll, partCounts, reportKeys, limits, lane, weight, eraseAfterDays, uncertainFallback } =
    settings
  return [
    mayPoll,
    partCounts,
    reportKeys,
    ...endpointFamilies.map((family) => limits[family]),
    lane,
    weight,
    eraseAfterDays,
    uncertainFallback,
    settings.smppBinds,
    settings.smppSystemId,
    settings.smppReplies,
    settings.smartEncoding,
    settings.batchMegabytes,
  ]
}

async function selectAccounts(
  database: Queryable,
  condition: string,
  values: unknown[] = [],
): Promise<Account[]> {
  const result = await database.query<Account>(`select ${columns} from accounts where ${condition}`, values)
  return result.rows
}

/** Locks the account until the transaction ends, so that concurrent changes do not overwrite each other. */
export async function lockAccount(transaction: Queryable, clientId: string): Promise<Account | null> {
  // `no key update`: rows that refer to the account can be written in the meantime.
  return (await selectAccounts(transaction, 'client_id = $1 for no key update', [clientId]))[0] ?? null
}

export function loadAccounts(database: Queryable): Promise<Account[]> {
  return selectAccounts(database, 'true')
}

export async function readAccount(database: Queryable, clientId: string): Promise<Account | null> {
  return (await selectAccounts(database, 'client_id = $1', [clientId]))[0] ?? null
}

export async function readAccountById(database: Queryable, id: number): Promise<Account | null> {
  return (await selectAccounts(database, 'id = $1', [id]))[0] ?? null
}

/** Returns the existing accounts, in no particular order. */
export function findAccounts(database: Queryable, clientIds: readonly string[]): Promise<Account[]> {
  return selectAccounts(database, 'client_id = any ($1)', [clientIds])
}

export interface AccountFilter {
  /** Lists accounts with a greater client id. */
  readonly after?: string | undefined
  /** Lists accounts that were created after this one, in that order. Replaces `after`. */
  readonly afterId?: number | undefined
  readonly prefix?: string | undefined
  /** Matches prefixes of client ids and any part of names, case-insensitively. */
  readonly search?: string | undefined
  readonly blocked?: boolean | undefined
  readonly limit: number
}

/** Lists accounts by client id or by creation. */
export function listAccountPage(
  database: Queryable,
  { after = '', afterId, prefix, search, blocked, limit }: AccountFilter,
): Promise<Account[]> {
  const order = afterId === undefined ? 'client_id' : 'id'
  const values: unknown[] = [afterId ?? after, limit]
  const addParameter = (value: unknown): string => `$${values.push(value)}`
  const conditions = [
    `${order} > $1`,
    ...(prefix === undefined
      ? []
      : [`client_id >= ${addParameter(prefix)}`, `starts_with(client_id, $${values.length})`]),
    // Searches without an index; every account is read at most, which takes milliseconds for tens of
    // thousands.
    ...(search === undefined
      ? []
      : [
          `(starts_with(lower(client_id), lower(${addParameter(search)})) or position(lower($${values.length}) in lower(name)) > 0)`,
        ]),
    ...(blocked === undefined ? [] : [`blocked = ${addParameter(blocked)}`]),
  ]
  return selectAccounts(database, `${conditions.join(' and ')} order by ${order} limit $2`, values)
}

/** Returns a value that changes whenever an account changes. */
export async function accountsVersion(database: Queryable): Promise<string> {
  const result = await database.query<{ version: string }>({
    name: 'read-accounts-version',
    text: `select ${rowVersions} as version from accounts`,
  })
  return result.rows[0]!.version
}

/** Returns a value that changes whenever an account or a credential changes. */
export async function directoryVersion(database: Queryable): Promise<string> {
  const result = await database.query<{ version: string }>({
    name: 'read-directory-version',
    text: `select ${rowVersions} || '/' || ${credentialsVersion} as version from accounts`,
  })
  return result.rows[0]!.version
}

/** Invalidates all issued tokens. Returns false if the account does not exist. */
export async function revokeTokens(database: Queryable, clientId: string): Promise<boolean> {
  const result = await database.query(
    'update accounts set token_epoch = token_epoch + 1, updated_at = now() where client_id = $1',
    [clientId],
  )
  return result.rowCount === 1
}

/** Returns another account that binds with the id or uses it as its client id. */
export async function findSystemIdOwner(
  database: Queryable,
  systemId: string,
  clientId: string,
): Promise<string | null> {
  const result = await database.query<{ clientId: string }>(
    'select client_id as "clientId" from accounts where $1 in (client_id, smpp_system_id) and client_id <> $2 limit 1',
    [systemId, clientId],
  )
  return result.rows[0]?.clientId ?? null
}

export async function loadAccountIds(database: Queryable): Promise<number[]> {
  const result = await database.query<{ id: number }>('select id from accounts')
  return result.rows.map(({ id }) => id)
}

/** Returns the ids by client id, without accounts that do not exist. */
export async function findAccountIds(
  database: Queryable,
  clientIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (clientIds.length === 0) return new Map()
  const result = await database.query<{ id: number; clientId: string }>(
    'select id, client_id as "clientId" from accounts where client_id = any ($1)',
    [clientIds],
  )
  return new Map(result.rows.map(({ id, clientId }) => [clientId, id]))
}

export async function findAccountId(database: Queryable, clientId: string): Promise<number | null> {
  const result = await database.query<{ id: number }>('select id from accounts where client_id = $1', [
    clientId,
  ])
  return result.rows[0]?.id ?? null
}
