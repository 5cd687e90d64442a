/** `postern operator list`. Never prints a key. */
import { listOperators, type OperatorKey } from '../../operators/queries.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import { table, type Result } from '../result.ts'
import { isUsable } from './context.ts'

export async function listAll(invocation: Invocation): Promise<Result> {
  const operators = await withDatabase(invocation, (database) => listOperators(database))
  const rows = operators.map(({ name, role, disabledAt, keys, createdAt, createdBy }) => [
    ...[name, role, disabledAt === null ? 'active' : `disabled ${disabledAt.toISOString().slice(0, 16)}Z`],
    keys.filter(isUsable).map(describe).join(', ') || 'no key',
    `${createdAt.toISOString().slice(0, 16)}Z ${createdBy}`,
  ])
  return {
    json: { operators: operators.map((operator) => ({ ...operator, id: undefined })) },
    lines:
      rows.length === 0
        ? ['there are no operators: commands run as the user of the system']
        : table([['name', 'role', 'state', 'keys', 'created'], ...rows]),
  }
}

function describe({ keyId, initial, createdAt, createdBy, endsAt }: OperatorKey): string {
  const end = endsAt === null ? '' : ` until ${endsAt.toISOString().slice(0, 10)}`
  const made = `made ${createdAt.toISOString().slice(0, 10)} by ${createdBy}`
  return `${keyId}${end} (${made}${initial ? ', to be replaced' : ''})`
}
