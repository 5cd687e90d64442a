/** What the operator commands share. */
import { requireOperator } from '../../acts/operators.ts'
import type { ListedOperator } from '../../operators/queries.ts'
import type { Queryable } from '../../platform/database.ts'
import { FailedError } from '../errors.ts'

export { isUsable, requireAdminLeft, requireOperator } from '../../acts/operators.ts'

/** For what an operator of an OpenID provider does not have. `what`: such as `a password`. */
export async function requireLocalOperator(
  transaction: Queryable,
  name: string,
  what: string,
): Promise<ListedOperator> {
  const operator = await requireOperator(transaction, name)
  if (operator.issuer === null) return operator
  throw new FailedError(
    `${name} signs in with ${operator.issuer} and has no ${what} here; for the command line, add a local operator with \`postern operator add\``,
  )
}
