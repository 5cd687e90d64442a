/** SQL of operators and operator_keys, their only writer. */
import type { NewKey } from '../accounts/key.ts'
import type { Queryable } from '../platform/database.ts'
import type { Role } from './rights.ts'

export interface Operator {
  readonly id: number
  readonly name: string
  readonly role: Role
  readonly createdAt: Date
  readonly createdBy: string
  readonly disabledAt: Date | null
}

export interface OperatorKey {
  readonly keyId: string
  readonly initial: boolean
  readonly createdAt: Date
  readonly createdBy: string
  readonly endsAt: Date | null
  readonly revokedAt: Date | null
}

export interface ListedOperator extends Operator {
  readonly keys: readonly OperatorKey[]
}

/** Serialises changes, so that two of them do not disable the last two admins. */
export async function lockOperators(transaction: Queryable): Promise<void> {
  await transaction.query('lock table operators in share row exclusive mode')
}

/** False before the migration that adds the table, and as long as nobody is in it. */
export async function hasOperators(database: Queryable): Promise<boolean> {
  const table = await database.query<{ exists: boolean }>(
    `select to_regclass('operators') is not null as exists`,
  )
  if (table.rows[0]?.exists !== true) return false
  const found = await database.query<{ exists: boolean }>('select exists (select from operators) as exists')
  return found.rows[0]!.exists
}

const operatorColumns = `o.id, o.name, o.role, o.created_at as "createdAt", o.created_by as "createdBy", o.disabled_at as "disabledAt"`

export async function listOperators(database: Queryable): Promise<ListedOperator[]> {
  const operators = await database.query<Operator>(
    `select ${operatorColumns} from operators o order by o.name`,
  )
  const keys = await database.query<OperatorKey & { operatorId: number }>(
    `select operator_id as "operatorId", key_id as "keyId", initial, created_at as "createdAt", created_by as "createdBy",
            ends_at as "endsAt", revoked_at as "revokedAt" from operator_keys order by created_at, key_id`,
  )
  const byOperator = Map.groupBy(keys.rows, ({ operatorId }) => operatorId)
  return operators.rows.map((operator) => ({
    ...operator,
    keys: (byOperator.get(operator.id) ?? []).map((key) => ({ ...key, operatorId: undefined })),
  }))
}

export interface KnownKey extends Operator, Pick<OperatorKey, 'keyId' | 'initial'> {
  readonly hash: string
}

/** A key that has not ended, with its operator, who may be disabled. */
export async function findKey(database: Queryable, keyId: string): Promise<KnownKey | null> {
  const result = await database.query<KnownKey>(
    `select ${operatorColumns}, k.key_id as "keyId", k.initial, k.hash
       from operator_keys k join operators o on o.id = k.operator_id
      where k.key_id = $1 and k.revoked_at is null and (k.ends_at is null or k.ends_at > now())`,
    [keyId],
  )
  return result.rows[0] ?? null
}

/** Null when the name is taken. */
export async function insertOperator(
  transaction: Queryable,
  name: string,
  role: Role,
  createdBy: string,
): Promise<number | null> {
  const result = await transaction.query<{ id: number }>(
    `insert into operators (name, role, created_by) values ($1, $2, $3) on conflict (name) do nothing returning id`,
    [name, role, createdBy],
  )
  return result.rows[0]?.id ?? null
}

export async function updateOperator(
  transaction: Queryable,
  id: number,
  { role, disabled }: { readonly role: Role; readonly disabled: boolean },
): Promise<void> {
  await transaction.query(
    `update operators set role = $2, disabled_at = case when $3 then coalesce(disabled_at, now()) end where id = $1`,
    [id, role, disabled],
  )
}

export interface NewOperatorKey extends Omit<NewKey, 'text'> {
  readonly operatorId: number
  readonly initial: boolean
  readonly createdBy: string
  readonly endsAt: Date | null
}

export async function insertKey(transaction: Queryable, key: NewOperatorKey): Promise<void> {
  const { keyId, operatorId, hash, initial, createdBy, endsAt } = key
  await transaction.query(
    `insert into operator_keys (key_id, operator_id, hash, initial, created_by, ends_at) values ($1, $2, $3, $4, $5, $6)`,
    [keyId, operatorId, hash, initial, createdBy, endsAt],
  )
}

/** Erases its hash. False when there is no such key, or it was revoked before. */
export async function revokeOperatorKey(transaction: Queryable, keyId: string): Promise<boolean> {
  const result = await transaction.query(
    'update operator_keys set hash = null, revoked_at = now() where key_id = $1 and revoked_at is null',
    [keyId],
  )
  return result.rowCount === 1
}

/** Whether the user of this connection may do what the owner of the tables may. */
export async function ownsTables(database: Queryable): Promise<boolean> {
  const result = await database.query<{ owns: boolean }>(
    `select pg_has_role(relowner, 'USAGE') as owns from pg_class where oid = 'operators'::regclass`,
  )
  return result.rows[0]!.owns
}
