/**
 * Requires a second operator for actions that one operator could abuse. It applies once another enabled
 * operator has the right; the only operator of an installation works alone.
 */
import { listAudit } from '../../identity/audit/queries.ts'
import { hasOtherOperator } from '../../identity/operators/queries.ts'
import { rights, type Right } from '../../identity/operators/rights.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { isSubscriberPrefix } from '../../carriers/routes/numbering.ts'
import { loadRouteRules } from '../../carriers/routes/queries.ts'
import type { Route } from '../../carriers/routes/route.ts'
import { findSenderRegisteredBy, type SenderIdentity } from '../../trust/senders/queries.ts'
import type { AuditRecorder } from '../audit-recorder.ts'
import { OperationError, type Facts } from '../errors.ts'

function hasSecondOperator(database: Queryable, { act }: AuditRecorder, right: Right): Promise<boolean> {
  return hasOtherOperator(database, rights[right].roles, act.by)
}

/** Throws if the operator registered one of the senders that the transaction has approved. */
export async function requireOtherRegistrant(
  transaction: Queryable,
  audit: AuditRecorder,
  approved: readonly SenderIdentity[],
): Promise<void> {
  if (approved.length === 0 || !(await hasSecondOperator(transaction, audit, 'senders'))) return
  const sender = await findSenderRegisteredBy(transaction, approved, audit.act.by)
  if (sender !== null)
    throw secondOperatorNeeded(
      'senders',
      `you registered ${sender.kind} '${sender.value}': another operator with the right 'senders' must approve it`,
    )
}

/**
 * Requires a reason if the prefixes of a route single out subscribers and, if there is a second operator, that the route
 * is saved disabled: the second operator enables it.
 */
export async function checkSubscriberRoute(
  transaction: Queryable,
  audit: AuditRecorder,
  { id, prefixes, enabled }: Pick<Route, 'id' | 'prefixes' | 'enabled'>,
): Promise<void> {
  if (!prefixes.some(isSubscriberPrefix)) return
  audit.requireReason('routes for single phone numbers')
  if (enabled && (await hasSecondOperator(transaction, audit, 'routes')))
    throw secondOperatorNeeded(
      'routes',
      `a route for single phone numbers must be saved disabled: another operator with the right 'routes' enables it`,
      { route: id },
    )
}

/** Throws if the route singles out subscribers and the same operator saved it last. */
export async function requireNotAuthor(
  transaction: Queryable,
  audit: AuditRecorder,
  id: string,
): Promise<void> {
  const route = (await loadRouteRules(transaction)).find((candidate) => candidate.id === id)
  if (route === undefined || !route.prefixes.some(isSubscriberPrefix)) return
  const [saved] = await listAudit(transaction, { action: 'route put', target: id, result: 'done', limit: 1 })
  if (saved?.actor === audit.act.by && (await hasSecondOperator(transaction, audit, 'routes')))
    throw secondOperatorNeeded(
      'routes',
      `you saved route '${id}', which is for single phone numbers: another operator with the right 'routes' must enable it`,
      { route: id },
    )
}

function secondOperatorNeeded(right: Right, message: string, facts: Facts = {}): OperationError {
  return new OperationError('second-operator-needed', message, { facts: { right, ...facts } })
}
