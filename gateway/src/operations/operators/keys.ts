/** Creates, replaces and revokes keys of operators. A key is returned once. */
import {
  insertKey,
  ownsTables,
  revokeOperatorKey,
  type OperatorKey,
} from '../../identity/operators/queries.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { AuditRecorder, AuditSubject } from '../audit-recorder.ts'
import { notFound, OperationError } from '../errors.ts'
import {
  generateOperatorKey,
  isUsable,
  requireAdminLeft,
  requireLocalOperator,
  requireOperator,
  type KeyOptions,
  type CreatedOperatorKey,
} from './operators.ts'

export interface AddKeyOptions extends KeyOptions {
  /** Allows this for an operator with a valid key; it is revoked with all others. */
  readonly replace?: boolean | undefined
}

/**
 * Adds an initial key. The admin who creates it can use it before its operator does, so no other key of the
 * operator stays valid: an operator with a working key would not notice.
 */
export function addFirstKey(
  audit: AuditRecorder,
  name: string,
  options: AddKeyOptions,
): Promise<CreatedOperatorKey> {
  return audit.change((transaction) => replaceKeys(transaction, audit, name, options))
}

/** Works without signing in, as the owner of the database. */
export function recoverKey(
  audit: AuditRecorder,
  name: string,
  options: KeyOptions,
): Promise<CreatedOperatorKey> {
  return audit.change(async (transaction) => {
    if (!(await ownsTables(transaction)))
      throw new OperationError(
        'refused',
        'only the owner of the tables can recover a key; use its POSTERN_DATABASE_URL',
      )
    return replaceKeys(transaction, audit, name, { ...options, replace: true })
  })
}

async function replaceKeys(
  transaction: Queryable,
  { act, signature }: AuditRecorder,
  name: string,
  { replace = false, ...options }: AddKeyOptions,
): Promise<readonly [CreatedOperatorKey, AuditSubject]> {
  const { id: operatorId } = await requireLocalOperator(transaction, name, 'key')
  const key = generateOperatorKey(act.by, options)
  // The insert locks the operators until the transaction ends: no key is created or replaced before the following read.
  await insertKey(transaction, signature, { ...key, operatorId, initial: true })
  const { keys } = await requireOperator(transaction, name)
  const otherKeys = keys.filter(({ keyId, revokedAt }) => keyId !== key.keyId && revokedAt === null)
  if (!replace && otherKeys.some((other) => isUsable(other) && !other.initial))
    throw new OperationError(
      'key-in-use',
      `operator '${name}' already has a valid key; let the operator replace it, or use 'replace' to revoke it if it is lost`,
      { field: 'replace', facts: { operator: name } },
    )
  const revoked = otherKeys.map(({ keyId }) => keyId)
  for (const keyId of revoked) await revokeOperatorKey(transaction, signature, keyId)
  return [key, { target: name, details: { keyId: key.keyId, revoked } }]
}

/** Limited, because each key leaves a permanent row. */
const maxOwnKeysPerDay = 10
const dayMs = 86_400_000

/** An initial key can always be replaced: it allows nothing else, and admins create few. */
function requireFewKeys(name: string, keys: readonly OperatorKey[], keyId: string): void {
  if (keys.some((key) => key.keyId === keyId && key.initial)) return
  const now = clock.now()
  const createdToday = keys.filter(({ initial, createdAt }) => !initial && createdAt.getTime() > now - dayMs)
  if (createdToday.length >= maxOwnKeysPerDay)
    throw new OperationError(
      'refused',
      `operator '${name}' has created ${maxOwnKeysPerDay} keys within a day; retry later, or ask an admin for another initial key`,
      { facts: { max: maxOwnKeysPerDay } },
    )
}

/**
 * Replaces the key of this request, which is rejected immediately. The new one expires no later than the
 * previous one.
 */
export function rotateOwnKey(audit: AuditRecorder, options: KeyOptions): Promise<CreatedOperatorKey> {
  return audit.change(async (transaction) => {
    const { by, keyId } = audit.act
    if (keyId === null) throw new OperationError('refused', 'there are no operators; add the first one')
    const { id: operatorId, keys } = await requireOperator(transaction, by)
    requireFewKeys(by, keys, keyId)
    const { endsAt = null } = keys.find((key) => key.keyId === keyId) ?? {}
    const key = generateOperatorKey(by, options, endsAt)
    await insertKey(transaction, audit.signature, { ...key, operatorId, initial: false })
    await revokeOperatorKey(transaction, audit.signature, keyId)
    return [key, { target: by, details: { former: keyId, keyId: key.keyId } }] as const
  })
}

export function revokeOperatorKeyById(audit: AuditRecorder, keyId: string): Promise<void> {
  return audit.change(async (transaction) => {
    if (!(await revokeOperatorKey(transaction, audit.signature, keyId))) throw notFound('operator key', keyId)
    await requireAdminLeft(transaction)
    return [undefined, { target: keyId }]
  })
}
