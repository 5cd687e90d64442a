/**
 * Requires a second operator for actions that one operator could abuse. It applies once another enabled
 * operator has the right; the only operator of an installation works alone.
 */
import { hasOtherOperator } from '../../identity/operators/queries.ts'
import { rights, type Right } from '../../identity/operators/rights.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { isSubscriberPrefix } from '../../carriers/routes/numbering.ts'
import { readUnreviewedAuthors } from '../../carriers/routes/queries.ts'
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
 * the operators who have saved the route since the last review, or none if it needs no review.
 */
export async function findUnreviewedAuthors(
  transaction: Queryable,
  audit: AuditRecorder,
  { id, prefixes, enabled }: Pick<Route, 'id' | 'prefixes' | 'enabled'>,
  newHosts: readonly string[],
): Promise<readonly string[]> {
  const isForSubscribers = prefixes.some(isSubscriberPrefix)
  if (isForSubscribers) audit.requireReason('routes for single phone numbers')
  if (!isForSubscribers && newHosts.length === 0) return []
  if (!(await hasSecondOperator(transaction, audit, 'routes'))) return []
  // A save by somebody else is no review: it would let the first author enable the route.
  if (!enabled) return [...new Set([...(await readUnreviewedAuthors(transaction, id)), audit.act.by])]
  const subject = isForSubscribers ? 'for single phone numbers' : `to the new host ${newHosts.join(', ')}`
  throw secondOperatorNeeded(
    'routes',
    `a route ${subject} must be saved disabled: another operator with the right 'routes' enables it`,
    { route: id },
  )
}

/**
 * Throws if nobody has reviewed the route and the operator saved it, or does not name the version that was reviewed: an
 * author could save it again between review and enabling.
 */
export async function requireReview(
  transaction: Queryable,
  audit: AuditRecorder,
  id: string,
  reviewed: string | undefined,
): Promise<void> {
  const authors = await readUnreviewedAuthors(transaction, id)
  if (authors.length === 0 || !(await hasSecondOperator(transaction, audit, 'routes'))) return
  if (authors.includes(audit.act.by))
    throw secondOperatorNeeded(
      'routes',
      `you saved route '${id}': another operator with the right 'routes' must review and enable it. If all of them have saved it, delete it and save it again`,
      { route: id },
    )
  if (reviewed === undefined)
    throw wrongField(
      'reviewed',
      `is required: ${authors.map((author) => `'${author}'`).join(' and ')} saved route '${id}', which nobody has reviewed; read it and pass its version`,
    )
}

function secondOperatorNeeded(right: Right, message: string, facts: Facts = {}): OperationError {
  return new OperationError('second-operator-needed', message, { facts: { right, ...facts } })
}
