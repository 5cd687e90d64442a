/** Checks the right of an operator for every command and request, and records refusals. */
import type { AuditContext } from '../identity/audit/context.ts'
import { appendInOwnTransaction, canAppendAudit } from '../identity/audit/queries.ts'
import { hasRight, rights, type Right } from '../identity/operators/rights.ts'
import type { Database } from '../platform/database/database.ts'
import { OperationError } from './errors.ts'

export async function requireRight(
  database: Database,
  action: string,
  act: AuditContext,
  right: Right,
): Promise<void> {
  if (act.role === 'shell' || act.role === 'process' || hasRight(act.role, right)) return
  await recordRefusal(database, action, act, right)
  const { allows, roles } = rights[right]
  throw new OperationError(
    'forbidden',
    `operator '${act.by}' (role ${act.role}) lacks the right '${right}' to ${allows}; roles that have it: ${roles.join(', ')}`,
    { facts: { right, roles } },
  )
}

/** Does nothing with a database user of viewers, which cannot write to the log. */
export async function recordRefusal(
  database: Database,
  action: string,
  act: AuditContext,
  target: string,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  if (await canAppendAudit(database))
    await appendInOwnTransaction(database, act, { action, result: 'refused', target, details })
}
