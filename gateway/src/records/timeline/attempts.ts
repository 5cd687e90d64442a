/** The part of the story that carriers write: where a step went and why, what was answered, what came back. */
import type { TimelineEvent } from './event.ts'
import type { AttemptRow, WaitingRow } from './rows.ts'

/** Why a step waits or waited, in the words of the tables. */
const waitReasons: Readonly<Record<string, string>> = {
  owed: 'it is being handed to its route',
  backlog: "its account's turn on the route had not come",
  scheduled: 'it is to be sent at a later time',
  retry: 'the carrier surely did not take it, so it is tried again',
  moved: 'its route could not take it, so it moves to another',
}

function describeReason(reason: string): string {
  return waitReasons[reason] ?? reason
}

export function describeWaiting({
  step,
  reason,
  lane,
  routeId,
  createdAt,
  releaseAt,
}: WaitingRow): TimelineEvent {
  const route = routeId === '' ? '' : ` for route ${routeId}`
  return {
    at: createdAt,
    kind: 'held',
    step,
    text: `held${route} in the ${lane} lane: ${describeReason(reason)}; not before ${releaseAt.toISOString()}`,
    details: { reason, lane, route: routeId === '' ? null : routeId, releaseAt: releaseAt.toISOString() },
  }
}

/** The attempts of one try of a step, in the order of their parts. */
export function describeTry(parts: readonly AttemptRow[]): TimelineEvent[] {
  const [first] = parts
  if (first === undefined) return []
  const { step, routeId, routeReason, heldReason, heldMs, submittedAt } = first
  const events: TimelineEvent[] = []
  if (heldReason !== null) {
    const heldSince = new Date(submittedAt.getTime() - (heldMs ?? 0))
    const text = `held for ${((heldMs ?? 0) / 1000).toFixed(1)} s: ${describeReason(heldReason)}`
    events.push({ at: heldSince, kind: 'held', step, text, details: { reason: heldReason, heldMs } })
  }
  events.push({
    at: submittedAt,
    kind: 'routed',
    step,
    text: `goes by route ${routeId}${routeReason === null ? '' : `: ${routeReason}`}`,
    details: { route: routeId, reason: routeReason, try: first.try },
  })
  for (const part of parts) {
    events.push(tellSubmission(part))
    if (part.receipts > 0) events.push(tellReceipt(part))
  }
  return events
}

function nameOf({ part, parts }: AttemptRow): string {
  return parts === 1 ? '' : `part ${part} of ${parts} `
}

function tellSubmission(attempt: AttemptRow): TimelineEvent {
  const { step, try: nth, part, parts, outcome, outcomeCode, carrierId, submittedAt } = attempt
  const code = outcomeCode === null ? '' : ` (code ${outcomeCode})`
  const answers = {
    accepted: `the carrier accepted it${carrierId === null ? '' : ` as ${carrierId}`}`,
    refused: `the carrier refused it${code}${attempt.cause === null ? '' : `: ${attempt.cause}`}`,
    unknown: `no answer is known${code}; the carrier may have it, so only a receipt can tell`,
  }
  return {
    at: submittedAt,
    kind: 'submitted',
    step,
    text: `${nameOf(attempt)}submitted: ${answers[outcome]}`,
    details: { part, parts, try: nth, outcome, code: outcomeCode, carrierId },
  }
}

function tellReceipt(attempt: AttemptRow): TimelineEvent {
  const {
    step,
    try: nth,
    part,
    result,
    cause,
    receiptCode,
    resultAt,
    receivedAt,
    receipts,
    late,
    deliveredTwice,
  } = attempt
  const notes = [
    ...(late ? ['late: its step had ended, so it changes nothing'] : []),
    ...(deliveredTwice ? ['a double delivery: the recipient has another step of this message too'] : []),
    ...(receipts > 1 ? [`came ${receipts} times`] : []),
  ]
  const told = result === 'delivered' ? 'delivered' : `failed${cause === null ? '' : `: ${cause}`}`
  const carrierTime = resultAt === null ? '' : `, by the carrier's clock at ${resultAt.toISOString()}`
  return {
    at: receivedAt ?? resultAt ?? attempt.submittedAt,
    kind: 'receipt',
    step,
    text: `${nameOf(attempt)}receipt ${receiptCode ?? 'without a code'}: ${told}${carrierTime}${notes.map((note) => `; ${note}`).join('')}`,
    details: { part, try: nth, result, cause, code: receiptCode, receipts, late, deliveredTwice },
  }
}
