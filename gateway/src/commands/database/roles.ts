/** `postern database roles`: grants what `operators/database-grants.ts` lists, in one transaction. */
import { databaseRoles, grantStatements } from '../../operators/database-grants.ts'
import type { Queryable } from '../../platform/database.ts'
import { withDatabase } from '../connect.ts'
import { FailedError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'

export interface RolesOptions {
  readonly prefix: string
  readonly print?: true
}

export function applyRoles(invocation: Invocation, { prefix, print }: RolesOptions): Promise<Result> {
  return withDatabase(invocation, async (_database, _config, audit) => {
    const statements = await audit.change(async (transaction) => {
      const found = grantStatements({ prefix, ...(await findTables(transaction)) })
      if (print === true) return [found, null]
      for (const statement of found) await transaction.query(statement).catch(explain)
      return [found, { target: `database roles ${prefix}_*` }]
    })
    const roles = databaseRoles.map((role) => `${prefix}_${role}`)
    return {
      json: { roles, statements },
      lines:
        print === true
          ? statements.map((statement) => `${statement};`)
          : [`granted to ${roles.join(', ')}; create users in them, and give each process its own`],
    }
  })
}

async function findTables(transaction: Queryable) {
  const result = await transaction.query<{ name: string; isPartition: boolean; schema: string }>(
    `select c.relname as name, c.relispartition as "isPartition", n.nspname as schema
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and n.nspname = current_schema() order by c.relname`,
  )
  const names = (isPartition: boolean): string[] =>
    result.rows.filter((row) => row.isPartition === isPartition).map(({ name }) => name)
  return { schema: result.rows[0]?.schema ?? 'public', tables: names(false), partitions: names(true) }
}

function explain(error: unknown): never {
  if ((error as { code?: unknown }).code !== '42501') throw error
  throw new FailedError(
    `${(error as Error).message}; run the command as the owner of the tables, who may create roles, or give the output of --print to the administrator of the database`,
  )
}
