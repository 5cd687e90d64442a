/** An operator of each role, with a key of its own, as after `postern operator key rotate`. */
import { createOperatorKey } from '../../../gateway/src/operators/key.ts'
import { insertKey, insertOperator, listOperators } from '../../../gateway/src/operators/queries.ts'
import { roles, type Role } from '../../../gateway/src/operators/rights.ts'
import { openDatabase, type Database } from '../../../gateway/src/platform/database.ts'
import { quietLog } from '../../../gateway/test/support/silent-log.ts'

/** Keys by role; each operator is named after its role. */
export async function addOperators(databaseUrl: string): Promise<Readonly<Record<Role, string>>> {
  const database = openDatabase(databaseUrl, quietLog, { connections: 1 })
  const keys = {} as Record<Role, string>
  try {
    // The first operator must be an admin.
    for (const role of [...roles].reverse()) keys[role] = await addOperator(database, role)
  } finally {
    await database.end()
  }
  return keys
}

async function addOperator(database: Database, role: Role): Promise<string> {
  const [first, own] = [createOperatorKey(), createOperatorKey()]
  const key = { keyId: first.keyId, hash: first.hash, createdBy: 'test', endsAt: null }
  await insertOperator(database, null, { name: role, role, key })
  const { id: operatorId } = (await listOperators(database)).find(({ name }) => name === role)!
  const { keyId, hash } = own
  await insertKey(
    database,
    { keyId: first.keyId, hash: first.hash },
    { operatorId, keyId, hash, initial: false, createdBy: role, endsAt: null },
  )
  return own.text
}
