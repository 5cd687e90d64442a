/** Describes one try of a step: why it waited, its route and the reason for it, submissions and receipts. */
import { parseShareRoute } from '../../jobs/route-share.ts'
import { neverReleaseAt } from '../waiting/waiting-step.ts'
import type { TimelineEvent } from './event.ts'
import type { TimelineAttempt, TimelineWaiting } from './rows.ts'

/** Texts of the wait reasons. `attempts.held_reason` stores such a reason, or `rule:<id>` for a trust rule. */
const waitReasons: Readonly<Record<string, string>> = {
  owed: 'the step is being released to its route',
  backlog: 'the account has used its fair share of the route',
  scheduled: 'scheduled for a later time',
  retry: 'the carrier did not accept it; it will be submitted again',
  moved: 'its route could not accept it; another route is chosen',
}

function describeReason(reason: string, rule: string | null | undefined): string {
  return reason === 'rule' ? `the rule ${rule ?? ''} does not allow it yet` : (waitReasons[reason] ?? reason)
}

export function describeWaiting(waiting: TimelineWaiting): TimelineEvent {
  const { step, reason, rule, lane } = waiting
  const route = parseShareRoute(waiting.routeId)
  const releaseAt = waiting.releaseAt.toISOString()
  const until =
    waiting.releaseAt < neverReleaseAt
      ? `not before ${releaseAt}`
      : 'until an operator releases it or its account is unblocked'
  return {
    at: waiting.createdAt,
    kind: 'held',
    step,
    text: `held${route === '' ? '' : ` for route ${route}`} in the ${lane} lane: ${describeReason(reason, rule)}; ${until}`,
    details: {
      reason,
      ...(reason === 'rule' ? { rule } : {}),
      lane,
      route: route === '' ? null : route,
      releaseAt,
    },
  }
}

/** Describes one try. `parts` are its attempts, in order. */
export function describeTry(parts: readonly TimelineAttempt[]): TimelineEvent[] {
  const [first] = parts
  if (first === undefined) return []
  const { step, routeId, routeReason, heldReason, heldMs, submittedAt } = first
  const events: TimelineEvent[] = []
  if (heldReason !== null) {
    const [, rule] = /^rule:(.*)$/.exec(heldReason) ?? []
    const reason = rule === undefined ? heldReason : 'rule'
    const heldSince = new Date(submittedAt.getTime() - (heldMs ?? 0))
    const text = `held for ${((heldMs ?? 0) / 1000).toFixed(1)} s: ${describeReason(reason, rule)}`
    const details = { reason, ...(rule === undefined ? {} : { rule }), heldMs }
    events.push({ at: heldSince, kind: 'held', step, text, details })
  }
  events.push({
    at: submittedAt,
    kind: 'routed',
    step,
    text: `route ${routeId}${routeReason === null ? '' : `: ${routeReason}`}`,
    details: { route: routeId, reason: routeReason, try: first.try },
  })
  for (const part of parts) {
    events.push(describeSubmission(part))
    if (part.receipts > 0) events.push(describeReceipt(part))
  }
  return events
}

function describePart({ part, parts }: TimelineAttempt): string {
  if (parts === 1) return ''
  return part === 0 ? `all ${parts} parts at once ` : `part ${part} of ${parts} `
}

function describeSubmission(attempt: TimelineAttempt): TimelineEvent {
  const { step, try: nth, part, parts, outcome, outcomeCode, carrierId, submittedAt } = attempt
  const code = outcomeCode === null ? '' : ` (code ${outcomeCode})`
  const responses = {
    accepted: `the carrier accepted it${carrierId === null ? '' : ` as ${carrierId}`}`,
    refused: `the carrier rejected it${code}${attempt.cause === null ? '' : `: ${attempt.cause}`}`,
    unknown: `the response is unknown${code}; the carrier may have accepted it, so only a receipt decides`,
  }
  return {
    at: submittedAt,
    kind: 'submitted',
    step,
    text: `${describePart(attempt)}submitted: ${responses[outcome]}`,
    details: { part, parts, try: nth, outcome, code: outcomeCode, carrierId },
  }
}

function describeReceipt(attempt: TimelineAttempt): TimelineEvent {
  const { step, part, parts, result, cause, receiptCode, resultAt, receipts, late, deliveredTwice } = attempt
  const outcome = result === 'delivered' ? 'delivered' : `failed${cause === null ? '' : `: ${cause}`}`
  const carrierTime = resultAt === null ? '' : `, by the carrier's clock at ${resultAt.toISOString()}`
  const notes = [
    late ? '; late: its step had already ended, so the outcome does not change' : '',
    deliveredTwice
      ? '; delivered twice: the recipient received another step or try of this message as well'
      : '',
    receipts > 1 ? `; received ${receipts} times` : '',
  ]
  return {
    at: attempt.receivedAt ?? resultAt ?? attempt.submittedAt,
    kind: 'receipt',
    step,
    text: `${describePart(attempt)}receipt ${receiptCode ?? 'without a code'}: ${outcome}${carrierTime}${notes.join('')}`,
    details: {
      part,
      parts,
      try: attempt.try,
      result,
      cause,
      code: receiptCode,
      receipts,
      late,
      deliveredTwice,
    },
  }
}
