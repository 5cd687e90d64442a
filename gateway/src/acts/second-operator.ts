/**
 * Requires a second person where one operator could otherwise deceive alone. It applies as soon as another enabled operator
 * holds the right; the only operator of an installation works without.
 */
import { hasOtherOperator } from '../operators/queries.ts'
import { rights, type Right } from '../operators/rights.ts'
import type { Queryable } from '../platform/database.ts'
import { findRegisteredBy, type SenderKey } from '../trust/senders/queries.ts'
import type { ActAudit } from './act-audit.ts'
import { FailedError } from './errors.ts'

export function hasSecondOperator(database: Queryable, { act }: ActAudit, right: Right): Promise<boolean> {
  return hasOtherOperator(database, rights[right].roles, act.by)
}

/** Throws a FailedError if the operator registered one of the senders that the transaction has approved. */
export async function requireOtherRegistrant(
  transaction: Queryable,
  audit: ActAudit,
  approved: readonly SenderKey[],
): Promise<void> {
  if (approved.length === 0 || !(await hasSecondOperator(transaction, audit, 'senders'))) return
  const own = await findRegisteredBy(transaction, approved, audit.act.by)
  if (own !== null)
    throw new FailedError(
      `${own.kind} '${own.value}' was registered by you: another operator with the right 'senders' must approve it, with \`postern sender approve\`, or in a list with \`postern sender import --approve\``,
    )
}
