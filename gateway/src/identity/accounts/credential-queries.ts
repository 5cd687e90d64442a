/** SQL of the credentials table; its only writer. */
import type { Queryable } from '../../platform/database/database.ts'
import { createAddressList } from './address-list.ts'
import type { Credential, CredentialKind, Scope } from './credential.ts'

/** Expired credentials stay known for this time, so that their tokens are reported as expired, not as forged. */
const knownAfterEnd = `interval '7 days'`

export async function loadCredentials(database: Queryable): Promise<Credential[]> {
  const result = await database.query<Omit<Credential, 'networks'> & { networks: string[] | null }>(
    `select id, account_id as "accountId", key_id as "keyId", kind, hash, scopes, networks, ends_at as "endsAt"
       from credentials
      where revoked_at is null and (ends_at is null or ends_at > now() - ${knownAfterEnd}) order by id`,
  )
  return result.rows.map((row) => ({
    ...row,
    networks: row.networks === null ? null : createAddressList(row.networks),
  }))
}

/** An SQL expression that changes whenever a credential changes. A trigger writes it. */
export const credentialsVersion = '(select version from credentials_version)'

/** A credential in lists for operators. */
export interface ListedCredential {
  readonly id: number
  readonly keyId: string
  readonly kind: CredentialKind
  readonly name: string
  readonly scopes: readonly Scope[] | null
  readonly networks: readonly string[] | null
  readonly createdBy: string
  readonly createdAt: Date
  readonly endsAt: Date | null
  readonly revokedAt: Date | null
  readonly replacedBy: string | null
  readonly usedAt: Date | null
  readonly usedFrom: string | null
}

/** Lists credentials, oldest first. */
export async function listCredentials(database: Queryable, accountId: number): Promise<ListedCredential[]> {
  const result = await database.query<ListedCredential>(
    `select c.id, key_id as "keyId", kind, name, scopes, networks, created_by as "createdBy", created_at as "createdAt",
            ends_at as "endsAt", revoked_at as "revokedAt", replaced_by as "replacedBy", u.used_at as "usedAt",
            u.address as "usedFrom"
       from credentials c left join credential_uses u on u.credential_id = c.id
      where account_id = $1 order by c.id`,
    [accountId],
  )
  return result.rows
}

export interface NewCredential {
  readonly accountId: number
  readonly keyId: string
  readonly kind: CredentialKind
  readonly hash: string
  readonly name: string
  readonly scopes: readonly Scope[] | null
  readonly networks: readonly string[] | null
  readonly createdBy: string
  readonly endsAt: Date | null
}

export async function insertCredential(transaction: Queryable, credential: NewCredential): Promise<void> {
  const { accountId, keyId, kind, hash, name, scopes, networks, createdBy, endsAt } = credential
  await transaction.query(
    `insert into credentials (account_id, key_id, kind, hash, name, scopes, networks, created_by, ends_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [accountId, keyId, kind, hash, name, scopes, networks, createdBy, endsAt],
  )
}

/** Replaces a credential. The predecessor remains valid until `endsAt`, or until its own earlier expiry. */
export async function replaceCredential(
  transaction: Queryable,
  id: number,
  replacedBy: string,
  endsAt: Date,
): Promise<void> {
  await transaction.query(
    'update credentials set replaced_by = $2, ends_at = least(ends_at, $3) where id = $1',
    [id, replacedBy, endsAt],
  )
}

/** Revokes the credential and its tokens permanently. `replacedBy` is its successor. */
export async function revokeCredential(
  transaction: Queryable,
  id: number,
  replacedBy: string | null = null,
): Promise<void> {
  await transaction.query(
    `update credentials set revoked_at = now(), hash = null, replaced_by = coalesce($2, replaced_by)
      where id = $1 and revoked_at is null`,
    [id, replacedBy],
  )
}

/**
 * Erases up to 1,000 hashes of expired credentials, through a database function that runs with the rights of
 * the owner, because a worker cannot set a hash. Accounts that a command has locked are left for the next
 * run.
 */
export async function eraseEndedCredentials(database: Queryable): Promise<void> {
  await database.query('select erase_ended_credentials()')
}

/** Returns the hash of the newest active SMPP password; the next password gets its salt. */
export async function readSmppPassword(transaction: Queryable, accountId: number): Promise<string | null> {
  const result = await transaction.query<{ hash: string }>(
    `select hash from credentials
      where account_id = $1 and kind = 'smpp' and hash is not null and revoked_at is null
        and (ends_at is null or ends_at > now()) order by id desc limit 1`,
    [accountId],
  )
  return result.rows[0]?.hash ?? null
}

export async function readPasswordHash(transaction: Queryable, id: number): Promise<string | null> {
  const result = await transaction.query<{ hash: string | null }>(
    `select hash from credentials where id = $1 and kind = 'password'`,
    [id],
  )
  return result.rows[0]?.hash ?? null
}
