/** Keys of operators: first ones, replaced ones and revoked ones, for commands and the admin API. The text of a key is returned once. */
import { insertKey, ownsTables, revokeOperatorKey, type OperatorKey } from '../operators/queries.ts'
import { clock } from '../platform/clock.ts'
import type { Queryable } from '../platform/database.ts'
import type { ActAudit, Subject } from './act-audit.ts'
import { notFound, OperationError } from './errors.ts'
import {
  createKey,
  isUsable,
  requireAdminLeft,
  requireLocalOperator,
  requireOperator,
  type KeyOptions,
  type PrintedKey,
} from './operators.ts'

export interface AddKeyOptions extends KeyOptions {
  /** Also when the operator has a key that works: it is revoked with all others. */
  readonly replace?: boolean | undefined
}

/**
 * Whoever makes the first key can use it before its operator does. So none is added beside a key that works: its operator
 * would not notice.
 */
export function addFirstKey(audit: ActAudit, name: string, options: AddKeyOptions): Promise<PrintedKey> {
  return audit.change((transaction) => replaceKeys(transaction, audit, name, options))
}

/** Without signing in, as the owner of the database. */
export function recoverKey(audit: ActAudit, name: string, options: KeyOptions): Promise<PrintedKey> {
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
  { act, signature }: ActAudit,
  name: string,
  { replace = false, ...options }: AddKeyOptions,
): Promise<readonly [PrintedKey, Subject]> {
  const { id: operatorId } = await requireLocalOperator(transaction, name, 'key')
  const key = createKey(act.by, options)
  // It locks the operators until the transaction ends: no key is made or replaced between the following read and the end.
  await insertKey(transaction, signature, { ...key, operatorId, initial: true })
  const { keys } = await requireOperator(transaction, name)
  const former = keys.filter(({ keyId, revokedAt }) => keyId !== key.keyId && revokedAt === null)
  if (!replace && former.some((one) => isUsable(one) && !one.initial))
    throw new OperationError(
      'key-in-use',
      `operator '${name}' has a key that works; let the operator replace it, or use 'replace' to revoke it if it is lost`,
      { field: 'replace', facts: { operator: name } },
    )
  const revoked = former.map(({ keyId }) => keyId)
  for (const keyId of revoked) await revokeOperatorKey(transaction, signature, keyId)
  return [key, { target: name, details: { keyId: key.keyId, revoked } }]
}

/** Each leaves a row for ever. */
const maxOwnKeysPerDay = 10
const dayMs = 86_400_000

/** A first key is always replaced: it does nothing else, and admins make few. */
function requireFewKeys(name: string, keys: readonly OperatorKey[], keyId: string): void {
  if (keys.some((key) => key.keyId === keyId && key.initial)) return
  const now = clock.now()
  const own = keys.filter(({ initial, createdAt }) => !initial && createdAt.getTime() > now - dayMs)
  if (own.length >= maxOwnKeysPerDay)
    throw new OperationError(
      'refused',
      `operator '${name}' has created ${maxOwnKeysPerDay} keys within a day; wait, or ask an admin for another first key`,
      { facts: { max: maxOwnKeysPerDay } },
    )
}

/** The former key is refused at once. The new one ends when the former would have, or earlier. */
export function rotateOwnKey(audit: ActAudit, options: KeyOptions): Promise<PrintedKey> {
  return audit.change(async (transaction) => {
    const { by, keyId } = audit.act
    if (keyId === null) throw new OperationError('refused', 'there are no operators; add the first one')
    const { id: operatorId, keys } = await requireOperator(transaction, by)
    requireFewKeys(by, keys, keyId)
    const { endsAt = null } = keys.find((key) => key.keyId === keyId) ?? {}
    const key = createKey(by, options, endsAt)
    await insertKey(transaction, audit.signature, { ...key, operatorId, initial: false })
    await revokeOperatorKey(transaction, audit.signature, keyId)
    return [key, { target: by, details: { former: keyId, keyId: key.keyId } }] as const
  })
}

export function revokeKey(audit: ActAudit, keyId: string): Promise<void> {
  return audit.change(async (transaction) => {
    if (!(await revokeOperatorKey(transaction, audit.signature, keyId))) throw notFound('operator key', keyId)
    await requireAdminLeft(transaction)
    return [undefined, { target: keyId }]
  })
}
