/** Operators for tests and measurements. */
import { createOperatorKey } from '../../src/operators/key.ts'
import { insertKey, insertOperator, listOperators } from '../../src/operators/queries.ts'
import type { OperatorRole } from '../../src/operators/rights.ts'
import type { Database } from '../../src/platform/database.ts'

/** With a key that its operator made. `accountId`: of a client. */
export async function addOperator(
  database: Database,
  name: string,
  role: OperatorRole,
  accountId: number | null = null,
): Promise<string> {
  const [first, own] = [createOperatorKey(), createOperatorKey()]
  await insertOperator(database, null, {
    ...{ name, role, accountId },
    key: { keyId: first.keyId, hash: first.hash, createdBy: 'test', endsAt: null },
  })
  const { id: operatorId } = (await listOperators(database)).find((operator) => operator.name === name)!
  const { keyId, hash } = own
  await insertKey(
    database,
    { keyId: first.keyId, hash: first.hash },
    {
      ...{ operatorId, keyId, hash, initial: false, createdBy: name, endsAt: null },
    },
  )
  return own.text
}
