/**
 * SQL of operator_logins, of sessions that begin with a password, and of passwords that admins set. Functions
 * of the database change the tables and require a proof: an operator key, or the hash of the password.
 */
import type { Queryable } from '../../platform/database/database.ts'
import type { EncryptedColumn } from '../../platform/encryption/field-cipher.ts'
import type { AssociatedData } from '../../platform/encryption/ciphertext.ts'
import type { Signature } from './queries.ts'
import type { OperatorRole } from './rights.ts'
import type { NewSession, SessionOrigin } from './session.ts'

export const totpAssociatedData = (operatorId: number): AssociatedData => [
  'operator_logins',
  'totp_secret',
  operatorId,
]

/**
 * Sets the password and ends the sessions of the operator. `initial` marks a password that another operator
 * set.
 */
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
    signature?.keyId ?? null,
    signature?.hash ?? null,
    operatorId,
    hash,
    initial,
  ])
}

/**
 * Removes the second factor and ends the sessions of the operator. Returns false if no second factor was
 * enrolled.
 */
export async function resetTotp(
  transaction: Queryable,
  signature: Signature | null,
  operatorId: number,
): Promise<boolean> {
  const result = await transaction.query<{ reset: boolean }>(
    'select reset_operator_totp($1, $2, $3) as reset',
    [signature?.keyId ?? null, signature?.hash ?? null, operatorId],
  )
  return result.rows[0]!.reset
}

export interface PasswordSalt {
  /** A PHC string without its hash. */
  readonly salt: string
  /** The networks from which the operator has signed in. */
  readonly networks: readonly string[]
}

/** Returns null if no operator of this name can sign in with a password. */
export async function findSalt(database: Queryable, name: string): Promise<PasswordSalt | null> {
  const result = await database.query<PasswordSalt>('select salt, networks from operator_password_salt($1)', [
    name,
  ])
  return result.rows[0] ?? null
}

/** The name and the proof of a sign-in. */
export interface LoginProof {
  readonly name: string
  /** Hash of the given password. */
  readonly hash: string
}

export interface LoginState {
  readonly operatorId: number
  readonly role: OperatorRole
  /** Whether the password must be replaced. */
  readonly initial: boolean
  /** The stored secret of the second factor. If `enrolled` is false, it was only offered. */
  readonly totpSecret: string | null
  readonly enrolled: boolean
  readonly totpStep: number
  /** Number of wrong codes with the correct password since the last session began. */
  readonly wrongCodes: number
  /** Whether the operator has the given recovery code. */
  readonly recoveryKnown: boolean
}

/**
 * Returns null if the password is wrong. `recoveryHash` is the hash of a code that may be a recovery code.
 */
export async function readLoginState(
  database: Queryable,
  { name, hash }: LoginProof,
  recoveryHash: string | null,
): Promise<LoginState | null> {
  const result = await database.query<LoginState>(
    `select operator_id as "operatorId", role, initial, totp_secret as "totpSecret", enrolled, totp_step as "totpStep",
            wrong_codes as "wrongCodes", recovery_known as "recoveryKnown"
       from read_operator_login($1, $2, $3)`,
    [name, hash, recoveryHash],
  )
  return result.rows[0] ?? null
}

/**
 * Limit after which only a recovery code is accepted. The database function that begins a session uses the
 * same number.
 */
export const maxWrongCodes = 30

/** Counts a wrong code; does nothing if the password is wrong. */
export async function countWrongCode(database: Queryable, { name, hash }: LoginProof): Promise<void> {
  await database.query('select count_wrong_code($1, $2)', [name, hash])
}

/** Returns false if a second factor is enrolled, or the password was changed in the meantime. */
export async function insertTotpOffer(
  transaction: Queryable,
  { name, hash }: LoginProof,
  secret: string,
): Promise<boolean> {
  const result = await transaction.query<{ offered: boolean }>(
    'select offer_operator_totp($1, $2, $3) as offered',
    [name, hash, secret],
  )
  return result.rows[0]!.offered
}

export interface PasswordSession extends LoginProof {
  readonly newHash: string | null
  /** The step of the code; null with a recovery code. */
  readonly step: number | null
  /** The stored secret with which the code was checked. */
  readonly checkedSecret: string | null
  readonly recoveryHash: string | null
  /** Set with the code that confirms the second factor. */
  readonly recoveryHashes: readonly string[] | null
  readonly network: string
  readonly session: NewSession
  readonly place: SessionOrigin
}

/** Returns false if the code was already used, or the password was changed in the meantime. */
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
  // Workers are not allowed to read the table.
  isCommandOnly: true,
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
