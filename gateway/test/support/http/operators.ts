import { createOperatorKey } from '../../../src/identity/operators/key.ts'
import { insertKey, insertOperator, listOperators } from '../../../src/identity/operators/queries.ts'
import type { OperatorRole } from '../../../src/identity/operators/rights.ts'
import type { Database } from '../../../src/platform/database/database.ts'

/** Adds an operator with a key that the operator created. `accountId` is the account of a client. */
export async function addTestOperator(
  database: Database,
  name: string,
  role: OperatorRole,
  accountId: number | null = null,
): Promise<string> {
  const [first, own] = [createOperatorKey(), createOperatorKey()]
  await insertOperator(database, null, {
    name,
    role,
    accountId,
    key: { keyId: first.keyId, hash: first.hash, createdBy: 'test', endsAt: null },
  })
  const { id: operatorId } = (await listOperators(database)).find((operator) => operator.name === name)!
  const { keyId, hash } = own
  await insertKey(
    database,
    { keyId: first.keyId, hash: first.hash },
    { operatorId, keyId, hash, initial: false, createdBy: name, endsAt: null },
  )
  return own.text
}
