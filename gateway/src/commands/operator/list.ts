/** `postern operator list`. Never prints a key. */
import { isUsable } from '../../acts/operators.ts'
import { listOperators, type ListedOperator, type OperatorKey } from '../../operators/queries.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import { table, type Result } from '../result.ts'

export async function listAll(invocation: Invocation): Promise<Result> {
  const operators = await withDatabase(invocation, (database) => listOperators(database))
  const rows = operators.map(
    ({ name, role, account, disabledAt, keys, createdAt, createdBy, ...operator }) => [
      ...[name, account === null ? role : `${role} of ${account}`],
      ...[disabledAt === null ? 'active' : `disabled ${disabledAt.toISOString().slice(0, 16)}Z`],
      keys.filter(isUsable).map(describe).join(', ') || 'no key',
      describeSignIn(operator),
      `${createdAt.toISOString().slice(0, 16)}Z ${createdBy}`,
    ],
  )
  return {
    json: { operators: operators.map((operator) => ({ ...operator, id: undefined })) },
    lines:
      rows.length === 0
        ? ['there are no operators: commands run as the user of the system']
        : table([['name', 'role', 'state', 'keys', 'browser', 'created'], ...rows]),
  }
}

function describe({ keyId, initial, createdAt, createdBy, endsAt }: OperatorKey): string {
  const end = endsAt === null ? '' : ` until ${endsAt.toISOString().slice(0, 10)}`
  const made = `made ${createdAt.toISOString().slice(0, 10)} by ${createdBy}`
  return `${keyId}${end} (${made}${initial ? ', to be replaced' : ''})`
}

/** How the operator signs in with a browser. */
function describeSignIn({
  issuer,
  password,
  totp,
}: Pick<ListedOperator, 'issuer' | 'password' | 'totp'>): string {
  if (issuer !== null) return issuer
  if (password === 'none') return 'no password'
  const second = totp ? 'second factor' : 'no second factor yet'
  return `${password === 'first' ? 'first password, to be replaced' : 'password'}, ${second}`
}
