/** `postern operator key add`, `rotate`, `revoke` and `postern operator recover`. A key is printed once. */
import type { NewKey } from '../../accounts/key.ts'
import { createOperatorKey } from '../../operators/key.ts'
import {
  insertKey,
  lockOperators,
  ownsTables,
  revokeOperatorKey,
  type NewOperatorKey,
} from '../../operators/queries.ts'
import { clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database.ts'
import { withDatabase } from '../connect.ts'
import { FailedError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import { requireAdminLeft, requireOperator } from './context.ts'

const dayMs = 86_400_000

export interface KeyOptions {
  readonly days?: number
}

interface MadeKey extends NewKey {
  readonly endsAt: Date | null
}

export async function makeKey(
  transaction: Queryable,
  owner: Pick<NewOperatorKey, 'operatorId' | 'initial' | 'createdBy'>,
  { days }: KeyOptions,
): Promise<MadeKey> {
  const { keyId, text, hash } = createOperatorKey()
  const endsAt = days === undefined ? null : new Date(clock.now() + days * dayMs)
  await insertKey(transaction, { ...owner, keyId, hash, endsAt })
  return { keyId, text, hash, endsAt }
}

export function keyResult(name: string, { keyId, text, endsAt }: MadeKey): Result {
  return {
    json: { name, keyId, key: text, endsAt },
    lines: [
      `operator  ${name}`,
      `key       ${text}`,
      'The key is not stored and cannot be shown again. Give it in POSTERN_OPERATOR_KEY, or the file that holds it as file:/path.',
    ],
  }
}

export function addKey(invocation: Invocation, name: string, options: KeyOptions): Promise<Result> {
  return withDatabase(invocation, (_database, _config, audit) =>
    audit.change(async (transaction) => {
      const { id: operatorId } = await requireOperator(transaction, name)
      const key = await makeKey(transaction, { operatorId, initial: true, createdBy: audit.act.by }, options)
      return [keyResult(name, key), { target: name, details: { keyId: key.keyId } }] as const
    }),
  )
}

export function rotateOwnKey(invocation: Invocation, options: KeyOptions): Promise<Result> {
  return withDatabase(invocation, (_database, _config, audit) =>
    audit.change(async (transaction) => {
      const { by, keyId } = audit.act
      if (keyId === null)
        throw new FailedError('there are no operators; `postern operator add` adds the first one')
      const { id: operatorId } = await requireOperator(transaction, by)
      await revokeOperatorKey(transaction, keyId)
      const key = await makeKey(transaction, { operatorId, initial: false, createdBy: by }, options)
      return [keyResult(by, key), { target: by, details: { former: keyId, keyId: key.keyId } }] as const
    }),
  )
}

export function revokeKey(invocation: Invocation, keyId: string): Promise<Result> {
  return withDatabase(invocation, (_database, _config, audit) =>
    audit.change(async (transaction) => {
      await lockOperators(transaction)
      if (!(await revokeOperatorKey(transaction, keyId)))
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
      const { id: operatorId } = await requireOperator(transaction, name)
      const key = await makeKey(transaction, { operatorId, initial: true, createdBy: audit.act.by }, options)
      return [keyResult(name, key), { target: name, details: { keyId: key.keyId } }] as const
    }),
  )
}
