/** Database users for one test file, with a random prefix; dropped when the file ends. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { databaseRoles, type DatabaseRole } from '../../../src/identity/operators/table-rights.ts'
import { openDatabase, type Database } from '../../../src/platform/database/database.ts'
import { addCleanup } from '../cleanup.ts'
import {
  createDatabaseUsers,
  dropDatabaseUsers,
  dropRights,
  createUserUrl,
  type DatabaseUser,
} from './database-users.ts'
import { silentLog } from '../silent-log.ts'

export interface DatabaseUsers {
  readonly prefix: string
  readonly urlOf: (user: DatabaseUser) => string
}

export async function useDatabaseUsers(ownerUrl: string): Promise<DatabaseUsers> {
  const prefix = `test_${randomBytes(5).toString('hex')}`
  await createDatabaseUsers(ownerUrl, prefix)
  addCleanup(async () => {
    await dropRights(ownerUrl, prefix)
    await dropDatabaseUsers(ownerUrl, prefix)
  })
  return { prefix, urlOf: (user) => createUserUrl(ownerUrl, prefix, user) }
}

export interface RolePools extends DatabaseUsers {
  readonly pools: Readonly<Record<DatabaseRole, Database>>
  /** Asserts that the role is not allowed to execute any of the statements. */
  readonly denied: (role: DatabaseRole, ...statements: string[]) => Promise<void>
}

export async function openRolePools(ownerUrl: string): Promise<RolePools> {
  const users = await useDatabaseUsers(ownerUrl)
  const opened = databaseRoles.map(
    (role) => [role, openDatabase(users.urlOf(role), silentLog, { connections: 4 })] as const,
  )
  addCleanup(() => Promise.all(opened.map(([, pool]) => pool.end())))
  const pools = Object.fromEntries(opened) as Record<DatabaseRole, Database>
  return {
    ...users,
    pools,
    async denied(role, ...statements) {
      for (const statement of statements)
        await assert.rejects(pools[role].query(statement), isMissingRight, statement)
    },
  }
}

/** A function of ours can refuse a statement with the same code. */
const isMissingRight = ({ code, routine }: { code?: unknown; routine?: unknown }): boolean =>
  code === '42501' && routine !== 'exec_stmt_raise'

/** Returns a statement that changes nothing but requires the right to update the column. */
export function createNoOpUpdate(table: string, column: string): string {
  return `update ${table} set ${column} = ${column}`
}

/** An audit row in the name of another actor. */
export const forgedAuditRow = `insert into audit_log (actor, role, source, request_id, action, result, target, reason, details)
                          values ('kim', 'admin', 'x', 'x', 'x', 'done', 'x', 'x', '{}')`
