import { createOperatorKey } from '../../../src/identity/operators/key.ts'
import { insertKey, insertOperator, listOperators } from '../../../src/identity/operators/queries.ts'
import type { OperatorRole } from '../../../src/identity/operators/rights.ts'
import type { Database } from '../../../src/platform/database/database.ts'

/**
 * Adds an operator, replaces the initial key as the operator would, and returns the text of the new key.
 * `accountId` is set for a client operator.
 */
export async function addTestOperator(
  database: Database,
  name: string,
  role: OperatorRole,
  accountId: number | null = null,
): Promise<string> {
  const [initialKey, operatorKey] = [createOperatorKey(), createOperatorKey()]
  await insertOperator(database, null, {
    name,
    role,
    accountId,
    key: { keyId: initialKey.keyId, hash: initialKey.hash, createdBy: 'test', endsAt: null },
  })
  const { id: operatorId } = (await listOperators(database)).find((operator) => operator.name === name)!
  const signature = { keyId: initialKey.keyId, hash: initialKey.hash }
  const { keyId, hash } = operatorKey
  await insertKey(database, signature, {
    operatorId,
    keyId,
    hash,
    initial: false,
    createdBy: name,
    endsAt: null,
  })
  return operatorKey.text
}
