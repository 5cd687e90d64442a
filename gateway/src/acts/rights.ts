/** Refuses an act for which the role of its operator has no right, and records the refusal. Called for every command and request. */
import type { Act } from '../audit/act.ts'
import { appendAlone, mayAppendAudit } from '../audit/queries.ts'
import { hasRight, rights, type Right } from '../operators/rights.ts'
import type { Database } from '../platform/database.ts'
import { OperationError } from './errors.ts'

export async function requireRight(
  database: Database,
  action: string,
  act: Act,
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

/** A database user of viewers cannot write to the log: the refusal is printed only. */
export async function recordRefusal(
  database: Database,
  action: string,
  act: Act,
  target: string,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  if (await mayAppendAudit(database))
    await appendAlone(database, act, { action, result: 'refused', target, details })
}
