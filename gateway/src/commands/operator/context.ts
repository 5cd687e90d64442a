/** What the operator commands share: finding an operator, and keeping an admin who can sign in. */
import { listOperators, type ListedOperator, type OperatorKey } from '../../operators/queries.ts'
import { clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database.ts'
import { FailedError } from '../errors.ts'

export async function requireOperator(transaction: Queryable, name: string): Promise<ListedOperator> {
  const found = (await listOperators(transaction)).find((operator) => operator.name === name)
  if (found !== undefined) return found
  throw new FailedError(`there is no operator '${name}'; \`postern operator list\` lists them`)
}

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

/** After a change, in its transaction. */
export async function requireAdminLeft(transaction: Queryable): Promise<void> {
  const admins = (await listOperators(transaction)).filter(
    ({ role, disabledAt, keys }) => role === 'admin' && disabledAt === null && keys.some(isUsable),
  )
  if (admins.length === 0)
    throw new FailedError('no admin who can sign in would be left; make another operator an admin first')
}

export function isUsable({ revokedAt, endsAt }: OperatorKey): boolean {
  return revokedAt === null && (endsAt === null || endsAt.getTime() > clock.now())
}
