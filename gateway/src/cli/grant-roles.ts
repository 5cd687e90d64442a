/** Grants database roles the rights of `identity/operators/table-rights.ts`. */
import pg from 'pg'
import {
  grantStatements,
  quoteIdentifier,
  type ExistingTable,
  type GrantTarget,
} from '../identity/operators/database-grants.ts'
import { databaseRoles, type DatabaseRole } from '../identity/operators/table-rights.ts'
import type { Queryable, Transaction } from '../platform/database/database.ts'
import { resolveReference } from '../platform/settings/secret-reference.ts'
import { FailedError } from './errors.ts'

/** References to the passwords of roles, such as `env:API_PASSWORD`. */
export type RoleLogins = Partial<Readonly<Record<DatabaseRole, string>>>

/**
 * Grants without revoking rights on tables, which processes of the previous release still use. Roles with a
 * password can then log in.
 */
export async function grantRoles(
  transaction: Transaction,
  prefix: string,
  logins: RoleLogins,
): Promise<string[]> {
  await transaction.query(`select pg_advisory_xact_lock(hashtext('postern database roles'))`)
  const found = await findGrantTargets(transaction)
  for (const statement of grantStatements({ prefix, keepsRights: true, ...found }))
    await transaction.query(statement).catch(explainDenied)
  for (const [role, reference] of Object.entries(logins)) {
    const password = pg.escapeLiteral(resolveReference(reference, '--logins refers to it'))
    await transaction
      .query(`alter role ${quoteIdentifier(`${prefix}_${role}`)} login password ${password}`)
      .catch(explainDenied)
  }
  return databaseRoles.map((role) => `${prefix}_${role}`)
}

/** Finds the schema, its tables, and its functions that run with the rights of their owner. */
export async function findGrantTargets(
  transaction: Queryable,
): Promise<Pick<GrantTarget, 'schema' | 'tables' | 'functions'>> {
  const tables = await transaction.query<ExistingTable>(
    `select c.relname as name,
            array(select attname::text from pg_attribute
                   where attrelid = c.oid and attnum > 0 and not attisdropped order by attnum) as columns
       from pg_class c
      where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace order by c.relname`,
  )
  const functions = await transaction.query<{ signature: string }>(
    `select p.oid::regprocedure::text as signature from pg_proc p
      where p.prosecdef and p.pronamespace = current_schema()::regnamespace order by 1`,
  )
  const schema = await transaction.query<{ name: string }>('select current_schema() as name')
  return {
    schema: schema.rows[0]!.name,
    tables: tables.rows,
    functions: functions.rows.map(({ signature }) => signature),
  }
}

export function explainDenied(error: unknown): never {
  if ((error as { code?: unknown }).code !== '42501') throw error
  throw new FailedError(
    `${(error as Error).message}; run the command as the table owner with the right to create roles, or send the output of \`postern database roles --print\` to the database administrator`,
  )
}
