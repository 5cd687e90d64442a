/**
 * Requires a second operator for actions that one operator could abuse. It applies once another enabled
 * operator has the right; the only operator of an installation works alone.
 */
import { hasOtherOperator } from '../../identity/operators/queries.ts'
import { rights, type Right } from '../../identity/operators/rights.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { isSubscriberPrefix } from '../../carriers/routes/numbering.ts'
import { readUnreviewedAuthor } from '../../carriers/routes/queries.ts'
import type { Route } from '../../carriers/routes/route.ts'
import { findSenderRegisteredBy, type SenderIdentity } from '../../trust/senders/queries.ts'
import type { AuditRecorder } from '../audit-recorder.ts'
import { OperationError, wrongField, type Facts } from '../errors.ts'

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
 * Requires a reason for a route whose prefixes single out subscribers. If there is a second operator, such a route and one
 * that connects to a host of no reviewed route must be saved disabled: the second operator reviews and enables it. Returns
 * the operator whose route nobody has reviewed, or null.
 */
export async function findUnreviewedAuthor(
  transaction: Queryable,
  audit: AuditRecorder,
  { id, prefixes, enabled }: Pick<Route, 'id' | 'prefixes' | 'enabled'>,
  newHosts: readonly string[],
): Promise<string | null> {
  const isForSubscribers = prefixes.some(isSubscriberPrefix)
  if (isForSubscribers) audit.requireReason('routes for single phone numbers')
  if (!isForSubscribers && newHosts.length === 0) return null
  if (!(await hasSecondOperator(transaction, audit, 'routes'))) return null
  if (!enabled) return audit.act.by
  const subject = isForSubscribers ? 'for single phone numbers' : `to the new host ${newHosts.join(', ')}`
  throw secondOperatorNeeded(
    'routes',
    `a route ${subject} must be saved disabled: another operator with the right 'routes' enables it`,
    { route: id },
  )
}

/**
 * Throws if nobody has reviewed the route and the operator saved it, or does not name the version that was reviewed: its
 * author could save it again between review and enabling.
 */
export async function requireReview(
  transaction: Queryable,
  audit: AuditRecorder,
  id: string,
  reviewed: string | undefined,
): Promise<void> {
  const author = await readUnreviewedAuthor(transaction, id)
  if (author === null || !(await hasSecondOperator(transaction, audit, 'routes'))) return
  if (author === audit.act.by)
    throw secondOperatorNeeded(
      'routes',
      `you saved route '${id}': another operator with the right 'routes' must review and enable it`,
      { route: id },
    )
  if (reviewed === undefined)
    throw wrongField(
      'reviewed',
      `is required: '${author}' saved route '${id}', which nobody has reviewed; read it and pass its version`,
    )
}

function secondOperatorNeeded(right: Right, message: string, facts: Facts = {}): OperationError {
  return new OperationError('second-operator-needed', message, { facts: { right, ...facts } })
}
