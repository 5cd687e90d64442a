/** `postern operator key add`, `rotate`, `revoke` and `postern operator recover`. A key is printed once. */
import {
  createKey,
  isUsable,
  requireAdminLeft,
  requireOperator,
  type KeyOptions,
  type PrintedKey,
} from '../../acts/operators.ts'
import { insertKey, ownsTables, revokeOperatorKey } from '../../operators/queries.ts'
import type { Queryable } from '../../platform/database.ts'
import type { ActAudit, Subject } from '../../acts/act-audit.ts'
import { withDatabase } from '../connect.ts'
import { FailedError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import { requireLocalOperator } from './context.ts'

export type { KeyOptions }

export interface AddKeyOptions extends KeyOptions {
  readonly replace?: true
}

export function keyResult(name: string, { keyId, text, endsAt }: PrintedKey): Result {
  return {
    json: { name, keyId, key: text, endsAt },
    lines: [
      `operator  ${name}`,
      `key       ${text}`,
      'The key is not stored and cannot be shown again. Give it in POSTERN_OPERATOR_KEY, or the file that holds it as file:/path.',
    ],
  }
}

/**
 * Whoever makes the first key can use it before its operator does. So none is added beside a key that works: its operator
 * would not notice.
 */
export function addKey(invocation: Invocation, name: string, options: AddKeyOptions): Promise<Result> {
  return withDatabase(invocation, (_database, _config, audit) =>
    audit.change(async (transaction) => {
      const { keys } = await requireOperator(transaction, name)
      if (options.replace !== true && keys.some((key) => isUsable(key) && !key.initial))
        throw new FailedError(
          `${name} has a key that works and replaces it with \`postern operator key rotate\`; --replace revokes it, if it is lost`,
        )
      return replaceKeys(transaction, audit, name, options)
    }),
  )
}

async function replaceKeys(
  transaction: Queryable,
  { act, signature }: ActAudit,
  name: string,
  options: KeyOptions,
): Promise<readonly [Result, Subject]> {
  const { id: operatorId, keys } = await requireLocalOperator(transaction, name, 'key')
  const revoked = keys.filter(({ revokedAt }) => revokedAt === null).map(({ keyId }) => keyId)
  const key = createKey(act.by, options)
  await insertKey(transaction, signature, { ...key, operatorId, initial: true })
  for (const keyId of revoked) await revokeOperatorKey(transaction, signature, keyId)
  return [keyResult(name, key), { target: name, details: { keyId: key.keyId, revoked } }]
}

export function rotateOwnKey(invocation: Invocation, options: KeyOptions): Promise<Result> {
  return withDatabase(invocation, (_database, _config, audit) =>
    audit.change(async (transaction) => {
      const { by, keyId } = audit.act
      if (keyId === null)
        throw new FailedError('there are no operators; `postern operator add` adds the first one')
      const { id: operatorId, keys } = await requireOperator(transaction, by)
      const { endsAt = null } = keys.find((key) => key.keyId === keyId) ?? {}
      const key = createKey(by, options, endsAt)
      await insertKey(transaction, audit.signature, { ...key, operatorId, initial: false })
      await revokeOperatorKey(transaction, audit.signature, keyId)
      return [keyResult(by, key), { target: by, details: { former: keyId, keyId: key.keyId } }] as const
    }),
  )
}

export function revokeKey(invocation: Invocation, keyId: string): Promise<Result> {
  return withDatabase(invocation, (_database, _config, audit) =>
    audit.change(async (transaction) => {
      if (!(await revokeOperatorKey(transaction, audit.signature, keyId)))
        throw new FailedError(
          `there is no key '${keyId}', or it was revoked; \`postern operator list\` lists them`,
        )
      await requireAdminLeft(transaction)
      const result = { json: { keyId, revoked: true }, lines: [`${keyId}: refused from the next command on`] }
      return [result, { target: keyId }] as const
    }),
  )
}

export function recoverKey(invocation: Invocation, name: string, options: KeyOptions): Promise<Result> {
  return withDatabase(invocation, (_database, _config, audit) =>
    audit.change(async (transaction) => {
      if (!(await ownsTables(transaction)))
        throw new FailedError(
          'only the owner of the tables may recover a key; run the command with its POSTERN_DATABASE_URL',
        )
      return replaceKeys(transaction, audit, name, options)
    }),
  )
}
