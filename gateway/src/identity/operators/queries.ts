/**
 * SQL of operators and operator_keys. Functions of the database change them after checking the key of the
 * writer: a database user for commands is not allowed to write the tables or to read the hashes of keys.
 */
import type { CreatedKey } from '../accounts/key.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { OperatorRole, StaffRole } from './rights.ts'

export interface Operator {
  readonly id: number
  readonly name: string
  readonly role: OperatorRole
  readonly createdAt: Date
  readonly createdBy: string
  readonly disabledAt: Date | null
  /** The OpenID provider of the person; `null` for an operator who was added here. */
  readonly issuer: string | null
}

export interface OperatorKey {
  readonly keyId: string
  readonly initial: boolean
  readonly createdAt: Date
  readonly createdBy: string
  readonly endsAt: Date | null
  readonly revokedAt: Date | null
}

export interface OperatorSummary extends Operator {
  /** The client id of the account of a client operator; `null` for others. */
  readonly account: string | null
  readonly keys: readonly OperatorKey[]
  /** `first` was set by another operator and must be replaced at the first sign-in. */
  readonly password: 'none' | 'first' | 'own'
  /** Whether a second factor is enrolled. */
  readonly totp: boolean
}

/**
 * The key of the operator who makes a change; null for the owner of the tables, and for the first operator.
 */
export interface Signature {
  readonly keyId: string
  /** SHA-256 of the key in hexadecimal digits. */
  readonly hash: string
}

/** Returns false before the migration that adds the table, and while it is empty. */
export async function hasOperators(database: Queryable): Promise<boolean> {
  const table = await database.query<{ exists: boolean }>(
    `select to_regclass('operators') is not null as exists`,
  )
  if (table.rows[0]?.exists !== true) return false
  const result = await database.query<{ exists: boolean }>('select exists (select from operators) as exists')
  return result.rows[0]!.exists
}

/** Reports whether an enabled operator other than `name` has one of the roles. */
export async function hasOtherOperator(
  database: Queryable,
  roles: readonly StaffRole[],
  name: string,
): Promise<boolean> {
  const { rows } = await database.query<{ exists: boolean }>(
    'select exists (select from operators where disabled_at is null and role = any($1) and name <> $2) as exists',
    [roles, name],
  )
  return rows[0]!.exists
}

/** The account of a client operator. */
export interface OwnAccount {
  readonly id: number
  readonly clientId: string
  /** Client operators of a blocked account can read, but hardly change anything (admin/add-route.ts). */
  readonly blocked: boolean
}

const operatorColumns = `o.id, o.name, o.role, o.created_at as "createdAt", o.created_by as "createdBy", o.disabled_at as "disabledAt", o.issuer`

export interface OperatorFilter {
  readonly name?: string | undefined
  readonly role?: OperatorRole | undefined
  /** Lists only names after this one. */
  readonly after?: string | undefined
  readonly limit?: number | undefined
}

/**
 * Days for which a revoked key is listed. Its row is kept, and the audit log contains who created and revoked
 * it.
 */
export const revokedKeysDays = 30

/** Lists operators by name, with their keys. */
export async function listOperators(
  database: Queryable,
  { name, role, after, limit }: OperatorFilter = {},
): Promise<OperatorSummary[]> {
  const operators = await database.query<Omit<OperatorSummary, 'keys'>>(
    `select ${operatorColumns}, a.client_id as account, l.totp_at is not null as totp,
            case when l.password_initial is null then 'none' when l.password_initial then 'first' else 'own' end as password
       from operators o left join operator_logins l on l.operator_id = o.id left join accounts a on a.id = o.account_id
      where ($1::text is null or o.name = $1) and ($2::text is null or o.role = $2) and ($3::text is null or o.name > $3)
      order by o.name limit $4`,
    [name ?? null, role ?? null, after ?? null, limit ?? null],
  )
  const keys = await database.query<OperatorKey & { operatorId: number }>(
    `select operator_id as "operatorId", key_id as "keyId", initial, created_at as "createdAt", created_by as "createdBy",
            ends_at as "endsAt", revoked_at as "revokedAt"
       from operator_keys
      where operator_id = any($1::int[]) and (revoked_at is null or revoked_at > now() - make_interval(days => $2))
      order by created_at, key_id`,
    [operators.rows.map(({ id }) => id), revokedKeysDays],
  )
  const byOperator = Map.groupBy(keys.rows, ({ operatorId }) => operatorId)
  return operators.rows.map((operator) => ({
    ...operator,
    keys: (byOperator.get(operator.id) ?? []).map((key) => ({ ...key, operatorId: undefined })),
  }))
}

export interface OperatorKeyMatch extends Operator, Pick<OperatorKey, 'keyId' | 'initial'> {
  readonly accountId: number | null
  /** Whether the hash matches the key. */
  readonly matches: boolean
}

/** Returns a key that is neither expired nor revoked, with its operator, who may be disabled. */
export async function findKey(
  database: Queryable,
  { keyId, hash }: Signature,
): Promise<OperatorKeyMatch | null> {
  const result = await database.query<OperatorKeyMatch>(
    `select ${operatorColumns}, o.account_id as "accountId", k.key_id as "keyId", k.initial, operator_key_matches(k.key_id, $2) as matches
       from operator_keys k join operators o on o.id = k.operator_id
      where k.key_id = $1 and k.revoked_at is null and (k.ends_at is null or k.ends_at > now())`,
    [keyId, hash],
  )
  return result.rows[0] ?? null
}

export interface NewOperatorKey extends Omit<CreatedKey, 'text'> {
  readonly createdBy: string
  readonly endsAt: Date | null
}

/**
 * Adds an operator with the first key. Returns false if the name is already in use. Other changes of
 * operators wait until the transaction ends.
 */
export async function insertOperator(
  transaction: Queryable,
  signature: Signature | null,
  {
    name,
    role,
    key,
    accountId = null,
  }: {
    readonly name: string
    readonly role: OperatorRole
    readonly key: NewOperatorKey
    /** The account of a client operator. */
    readonly accountId?: number | null
  },
): Promise<boolean> {
  const result = await transaction.query<{ id: number | null }>(
    'select add_operator($1, $2, $3, $4, $5, $6, $7, $8, $9) as id',
    [...signed(signature), name, role, key.createdBy, key.keyId, key.hash, key.endsAt, accountId],
  )
  return result.rows[0]!.id !== null
}

/** Changes the given fields and keeps the others. */
export async function updateOperator(
  transaction: Queryable,
  signature: Signature | null,
  id: number,
  { role, disabled }: { readonly role?: StaffRole; readonly disabled?: boolean },
): Promise<void> {
  await transaction.query('select change_operator($1, $2, $3, $4, $5)', [
    ...signed(signature),
    id,
    role ?? null,
    disabled ?? null,
  ])
}

export async function insertKey(
  transaction: Queryable,
  signature: Signature | null,
  key: NewOperatorKey & { readonly operatorId: number; readonly initial: boolean },
): Promise<void> {
  const { keyId, operatorId, hash, initial, createdBy, endsAt } = key
  await transaction.query('select add_operator_key($1, $2, $3, $4, $5, $6, $7, $8)', [
    ...signed(signature),
    keyId,
    operatorId,
    hash,
    initial,
    createdBy,
    endsAt,
  ])
}

/** Revokes a key and erases its hash. Returns false if the key does not exist or was already revoked. */
export async function revokeOperatorKey(
  transaction: Queryable,
  signature: Signature | null,
  keyId: string,
): Promise<boolean> {
  const result = await transaction.query<{ revoked: boolean }>(
    'select revoke_operator_key($1, $2, $3) as revoked',
    [...signed(signature), keyId],
  )
  return result.rows[0]!.revoked
}

/**
 * Returns null for operators of the installation. This is a separate query, because operators sign in even
 * while the accounts table is locked.
 */
export async function findOwnAccount(
  database: Queryable,
  accountId: number | null,
): Promise<OwnAccount | null> {
  if (accountId === null) return null
  const result = await database.query<OwnAccount>(
    'select id, client_id as "clientId", blocked from accounts where id = $1',
    [accountId],
  )
  return result.rows[0]!
}

function signed(signature: Signature | null): readonly [string | null, string | null] {
  return [signature?.keyId ?? null, signature?.hash ?? null]
}

/** Reports whether the user of this connection has the rights of the table owner. */
export async function ownsTables(database: Queryable): Promise<boolean> {
  const result = await database.query<{ owns: boolean }>(
    `select pg_has_role(relowner, 'USAGE') as owns from pg_class where oid = 'operators'::regclass`,
  )
  return result.rows[0]!.owns
}
