import { randomBytes } from 'node:crypto'
import type { Queryable } from '../../../platform/database/database.ts'
import { rowVersions } from '../../../platform/database/table-cache.ts'

export interface StoredTokenKey {
  readonly id: number
  /** Null for a key that is derived from POSTERN_TOKEN_SECRET without a salt. */
  readonly salt: Buffer | null
  readonly signsFrom: Date
  readonly retiredAt: Date | null
}

export interface TokenKeyView extends Omit<StoredTokenKey, 'salt'> {
  readonly createdBy: string
  readonly createdAt: Date
}

export async function loadTokenKeys(database: Queryable): Promise<StoredTokenKey[]> {
  const result = await database.query<StoredTokenKey>(
    'select id, salt, signs_from as "signsFrom", retired_at as "retiredAt" from token_keys order by id',
  )
  return result.rows
}

export async function tokenKeysVersion(database: Queryable): Promise<string> {
  const result = await database.query<{ version: string }>({
    name: 'read-token-keys-version',
    text: `select ${rowVersions} as version from token_keys`,
  })
  return result.rows[0]!.version
}

/** Lists keys in the order in which they sign. */
export async function listTokenKeys(
  database: Queryable,
  { after = 0, limit }: { readonly after?: number | undefined; readonly limit?: number } = {},
): Promise<TokenKeyView[]> {
  const result = await database.query<TokenKeyView>(
    `select id, signs_from as "signsFrom", retired_at as "retiredAt", created_by as "createdBy", created_at as "createdAt"
       from token_keys where id > $1 order by id limit $2`,
    [after, limit ?? null],
  )
  return result.rows
}

export interface NewTokenKey {
  readonly createdBy: string
  /** Seconds until the key starts to sign, counted from the start of the latest key if that is in the future. */
  readonly delaySeconds: number
  /** Refuses the tokens of earlier keys as soon as the new one signs. */
  readonly retireEarlier: boolean
}

/**
 * Adds a key under a table lock, so concurrent runs are serialised and keys sign in the order of their ids.
 */
export async function addTokenKey(
  transaction: Queryable,
  { createdBy, delaySeconds, retireEarlier }: NewTokenKey,
): Promise<{ readonly id: number; readonly signsFrom: Date }> {
  await transaction.query('lock table token_keys in share row exclusive mode')
  const result = await transaction.query<{ id: number; signsFrom: Date }>(
    `insert into token_keys (salt, created_by, signs_from)
     select $1, $2, greatest(clock_timestamp(), (select max(signs_from) from token_keys)) + $3 * interval '1 second'
     returning id, signs_from as "signsFrom"`,
    [randomBytes(32), createdBy, delaySeconds],
  )
  const key = result.rows[0]!
  if (retireEarlier)
    await transaction.query('update token_keys set retired_at = least(retired_at, $2) where id < $1', [
      key.id,
      key.signsFrom,
    ])
  return key
}
