/** Creates an operator of each role with a key, as `postern operator key rotate` does. */
import { createOperatorKey } from '../../../gateway/src/identity/operators/key.ts'
import { insertKey, insertOperator, listOperators } from '../../../gateway/src/identity/operators/queries.ts'
import { roles, type StaffRole } from '../../../gateway/src/identity/operators/rights.ts'
import { openDatabase, type Database } from '../../../gateway/src/platform/database/database.ts'
import { silentLog } from '../../../gateway/test/support/silent-log.ts'

/** Operator keys by role; each operator is named after its role. */
export async function addOperators(databaseUrl: string): Promise<Readonly<Record<StaffRole, string>>> {
  const database = openDatabase(databaseUrl, silentLog, { connections: 1 })
  const keys = {} as Record<StaffRole, string>
  try {
    // The first operator must be an admin.
    for (const role of [...roles].reverse()) keys[role] = await addOperator(database, role)
  } finally {
    await database.end()
  }
  return keys
}

async function addOperator(database: Database, role: StaffRole): Promise<string> {
  const [initialKey, operatorKey] = [createOperatorKey(), createOperatorKey()]
  const key = { keyId: initialKey.keyId, hash: initialKey.hash, createdBy: 'test', endsAt: null }
  await insertOperator(database, null, { name: role, role, key })
  const { id: operatorId } = (await listOperators(database)).find(({ name }) => name === role)!
  const { keyId, hash } = operatorKey
  await insertKey(
    database,
    { keyId: initialKey.keyId, hash: initialKey.hash },
    { operatorId, keyId, hash, initial: false, createdBy: role, endsAt: null },
  )
  return operatorKey.text
}
