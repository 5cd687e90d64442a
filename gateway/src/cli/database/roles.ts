/**
 * `postern database roles`: grants the rights of `identity/operators/table-rights.ts`, in one transaction.
 */
import { grantStatements } from '../../identity/operators/database-grants.ts'
import { databaseRoles } from '../../identity/operators/table-rights.ts'
import { withDatabase } from '../connect.ts'
import { explainDenied, findGrantTargets } from '../grant-roles.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'

export interface RolesOptions {
  readonly prefix: string
  readonly print?: true
}

export function applyRoles(invocation: Invocation, { prefix, print }: RolesOptions): Promise<Result> {
  return withDatabase(invocation, async (_database, _config, audit) => {
    const statements = await audit.change(async (transaction) => {
      const found = grantStatements({ prefix, ...(await findGrantTargets(transaction)) })
      if (print === true) return [found, null]
      for (const statement of found) await transaction.query(statement).catch(explainDenied)
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
