/**
 * SQL of operator_logins, of sessions that are begun with a password, and of passwords that admins set. The tables are changed by functions of
 * the database, which demand a proof: the key of an operator, or the hash of the password.
 */
import type { Queryable } from '../platform/database.ts'
import type { EncryptedColumn } from '../platform/encryption/field-cipher.ts'
import type { AssociatedData } from '../platform/encryption/ciphertext.ts'
import type { Signature } from './queries.ts'
import type { OperatorRole } from './rights.ts'
import type { NewSession, SessionPlace } from './session.ts'

export const totpAssociatedData = (operatorId: number): AssociatedData => [
  'operator_logins',
  'totp_secret',
  operatorId,
]

/** Ends the sessions of the operator. `initial`: made by somebody else. */
export async function setPassword(
  transaction: Queryable,
  signature: Signature | null,
  {
    operatorId,
    hash,
    initial,
  }: { readonly operatorId: number; readonly hash: string; readonly initial: boolean },
): Promise<void> {
  await transaction.query('select set_operator_password($1, $2, $3, $4, $5)', [
    ...[signature?.keyId ?? null, signature?.hash ?? null, operatorId, hash, initial],
  ])
}

/** Ends the sessions of the operator. False when no second factor was enrolled. */
export async function resetTotp(
  transaction: Queryable,
  signature: Signature | null,
  operatorId: number,
): Promise<boolean> {
  const result = await transaction.query<{ reset: boolean }>(
    'select reset_operator_totp($1, $2, $3) as reset',
    [...[signature?.keyId ?? null, signature?.hash ?? null, operatorId]],
  )
  return result.rows[0]!.reset
}

export interface PasswordSalt {
  /** A PHC string up to its hash. */
  readonly salt: string
  /** Where the operator has signed in from. */
  readonly networks: readonly string[]
}

/** Null when nobody of this name can sign in with a password. */
export async function findSalt(database: Queryable, name: string): Promise<PasswordSalt | null> {
  const result = await database.query<PasswordSalt>('select salt, networks from operator_password_salt($1)', [
    name,
  ])
  return result.rows[0] ?? null
}

/** Who signs in, and the proof. */
export interface Proof {
  readonly name: string
  /** Of the password that was given. */
  readonly hash: string
}

export interface Login {
  readonly operatorId: number
  readonly role: OperatorRole
  /** The password must be replaced. */
  readonly initial: boolean
  /** As it is stored. Without `enrolled` it was only offered. */
  readonly totpSecret: string | null
  readonly enrolled: boolean
  readonly totpStep: number
  /** With the right password, since the last session began. */
  readonly wrongCodes: number
  /** Whether the operator has the recovery code. */
  readonly recoveryKnown: boolean
}

/** `recoveryHash`: of a code that may be a recovery code. Null when the password is wrong. */
export async function readLogin(
  database: Queryable,
  { name, hash }: Proof,
  recoveryHash: string | null,
): Promise<Login | null> {
  const result = await database.query<Login>(
    `select operator_id as "operatorId", role, initial, totp_secret as "totpSecret", enrolled, totp_step as "totpStep",
            wrong_codes as "wrongCodes", recovery_known as "recoveryKnown"
       from read_operator_login($1, $2, $3)`,
    [name, hash, recoveryHash],
  )
  return result.rows[0] ?? null
}

/** After so many only a recovery code counts. The function that begins a session has the same number. */
export const maxWrongCodes = 30

/** Counts nothing when the password is wrong. */
export async function countWrongCode(database: Queryable, { name, hash }: Proof): Promise<void> {
  await database.query('select count_wrong_code($1, $2)', [name, hash])
}

/** False when one is enrolled, or the password was changed meanwhile. */
export async function offerTotp(
  transaction: Queryable,
  { name, hash }: Proof,
  secret: string,
): Promise<boolean> {
  const result = await transaction.query<{ offered: boolean }>(
    'select offer_operator_totp($1, $2, $3) as offered',
    [name, hash, secret],
  )
  return result.rows[0]!.offered
}

export interface PasswordSession extends Proof {
  readonly newHash: string | null
  /** Of the code; null with a recovery code. */
  readonly step: number | null
  /** As it is stored: the one that the code was checked with. */
  readonly checkedSecret: string | null
  readonly recoveryHash: string | null
  /** With the code that confirms the second factor. */
  readonly recoveryHashes: readonly string[] | null
  readonly network: string
  readonly session: NewSession
  readonly place: SessionPlace
}

/** False when the code was used before, or the password was changed meanwhile. */
export async function startPasswordSession(transaction: Queryable, start: PasswordSession): Promise<boolean> {
  const { name, hash, newHash, step, checkedSecret, recoveryHash, recoveryHashes, network, session, place } =
    start
  const result = await transaction.query<{ started: boolean }>(
    'select start_operator_session($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) as started',
    [
      ...[name, hash, newHash, step, checkedSecret, recoveryHash, recoveryHashes, network],
      ...[session.id, session.hash, place.seconds, place.address, place.agent],
    ],
  )
  return result.rows[0]!.started
}

export const totpSecrets: EncryptedColumn = {
  name: 'operator_logins.totp_secret',
  // Workers may not see the table.
  isOfCommands: true,
  async page(database, after, limit) {
    const result = await database.query<{ id: number; stored: string }>(
      `select operator_id as id, totp_secret as stored from operator_logins
        where operator_id > coalesce(nullif($1, '')::int, 0) and totp_secret is not null order by operator_id limit $2`,
      [after, limit],
    )
    return result.rows.map(({ id, stored }) => ({
      key: String(id),
      stored,
      associatedData: totpAssociatedData(id),
    }))
  },
  async replace(transaction, changes) {
    let replaced = 0
    for (const { key, from, to } of changes) {
      const result = await transaction.query<{ replaced: boolean }>(
        'select replace_totp_secret($1, $2, $3) as replaced',
        [Number(key), from, to],
      )
      if (result.rows[0]!.replaced) replaced += 1
    }
    return replaced
  },
}
