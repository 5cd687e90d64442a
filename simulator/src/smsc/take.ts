/**
 * Carries out the behaviour a recipient's number asks for: refuse, answer, disconnect, owe receipts.
 * Promises that a message counted as accepted gets exactly the receipts its behaviour and its
 * registered_delivery call for, whatever becomes of the session it came by.
 */
import { esme } from '../smpp/protocol.ts'
import type { Submission } from '../smpp/read.ts'
import { behaviourFor, failedPart } from './behaviours.ts'
import type { Behaviour, ReceiptPlan } from './behaviours.ts'
import type { Centre } from './centre.ts'
import { mark } from './counters.ts'
import type { MessageId } from './ids.ts'
import { refusesTry, takeToken } from './limits.ts'
import { layoutOf } from './parts.ts'
import type { Layout, Part } from './parts.ts'
import { receiptOf } from './receipt.ts'
import type { Receipt, Taken } from './receipt.ts'
import { refusalOf } from './validate.ts'

/** The session a submission came by, as far as its fate depends on it. */
export interface Submitter {
  readonly systemId: string
  /** Does nothing once the session is gone. */
  answer(submission: Submission, sequence: number, messageId: string): void
  refuse(submission: Submission, sequence: number, commandStatus: number): void
  drop(): void
}

const EXCERPT_CHARACTERS = 20

export function takeSubmission(
  centre: Centre,
  by: Submitter,
  sequence: number,
  submission: Submission,
): void {
  const now = Date.now()
  const { counters } = centre
  counters.submits++
  mark(centre.meter, now)
  const behaviour = behaviourFor(submission.to.digits)
  const layout = layoutOf(submission)
  const refusal = typeof layout === 'number' ? layout : refusalFor(centre, behaviour, submission, layout, now)
  if (refusal !== 0 || typeof layout === 'number') {
    if (refusal === esme.RTHROTTLED || refusal === esme.RMSGQFUL) counters.throttled++
    else counters.refused++
    by.refuse(submission, sequence, refusal)
    return
  }
  if (!behaviour.taken) {
    counters.abandoned++
    by.drop()
    return
  }
  counters.accepted++
  const id = centre.ids.next(behaviour.spelling)
  record(centre, submission, layout, id)
  const receipts = plansFor(behaviour, submission.registeredDelivery, layout.part).map((plan) =>
    receiptOf(remember(by.systemId, submission, layout, id, now), plan),
  )
  const answer = (): void => by.answer(submission, sequence, id.inResponse)
  const owe = (): void => oweReceipts(centre, behaviour, receipts, layout.part)
  conclude(centre, behaviour, by, receipts, answer, owe)
}

function refusalFor(
  centre: Centre,
  behaviour: Behaviour,
  submission: Submission,
  layout: Layout,
  now: number,
): number {
  const invalid = refusalOf(submission, layout.headerBytes)
  if (invalid !== 0) return invalid
  if (!takeToken(centre.bucket, now)) return esme.RTHROTTLED
  if (behaviour.refuse !== undefined) {
    const text = submission.body.toString('latin1', layout.headerBytes)
    // Without the reference number, which a client may change from one try to the next.
    const key = `${submission.to.digits}|${layout.part?.sequence ?? 0}|${text}`
    if (refusesTry(centre.tries, key, behaviour.refuse.tries)) return behaviour.refuse.commandStatus
  }
  return centre.counters.receiptsPending >= centre.options.maxPending ? esme.RMSGQFUL : esme.ROK
}

/** registered_delivery, bits 1-0: 0 no receipt, 1 always, 2 on failure only, 3 on success only. */
function plansFor(behaviour: Behaviour, registered: number, part: Part | undefined): readonly ReceiptPlan[] {
  const plans =
    part !== undefined && part.sequence === behaviour.failingPart ? [failedPart] : behaviour.receipts
  const wanted = registered & 0x03
  if (wanted === 0) return []
  if (wanted === 1) return plans
  return plans.filter((plan) => (plan.state === 'DELIVRD') === (wanted === 3))
}

function remember(
  systemId: string,
  submission: Submission,
  layout: Layout,
  id: MessageId,
  now: number,
): Taken {
  const { from, to, body, dataCoding } = submission
  const end = Math.min(body.length, layout.headerBytes + EXCERPT_CHARACTERS)
  const excerpt = dataCoding <= 1 ? body.toString('latin1', layout.headerBytes, end) : ''
  return { systemId, receiptId: id.inReceipt, from, to, excerpt, takenAt: now }
}

function record(centre: Centre, submission: Submission, layout: Layout, id: MessageId): void {
  centre.record?.add({
    id: id.inResponse,
    from: submission.from.digits,
    to: submission.to.digits,
    dataCoding: submission.dataCoding,
    octets: submission.body.toString('latin1', layout.headerBytes),
    part: layout.part,
  })
}

function oweReceipts(
  centre: Centre,
  behaviour: Behaviour,
  receipts: readonly Receipt[],
  part: Part | undefined,
): void {
  const [first] = receipts
  if (first === undefined) return
  centre.counters.receiptsPending += receipts.length
  if (!behaviour.partsReversed || part === undefined) {
    for (const receipt of receipts) putWhenDue(centre, receipt)
    return
  }
  const { systemId, from, to } = first.taken
  centre.reversal.hold(`${systemId}|${from.digits}|${to.digits}|${part.ref}`, part, () => {
    for (const receipt of receipts) putWhenDue(centre, receipt)
  })
}

function putWhenDue(centre: Centre, receipt: Receipt): void {
  const { lateMs, receiptDelayMs } = centre.options
  const delayMs = receipt.plan.late ? lateMs : receiptDelayMs
  if (delayMs === 0) centre.put(receipt)
  else centre.receipts.after(delayMs, () => centre.put(receipt))
}

function conclude(
  centre: Centre,
  behaviour: Behaviour,
  by: Submitter,
  receipts: readonly Receipt[],
  answer: () => void,
  owe: () => void,
): void {
  switch (behaviour.answer) {
    case 'at once':
      answer()
      return owe()
    case 'slowly':
      return centre.responses.after(centre.options.slowMs, () => {
        answer()
        owe()
      })
    case 'never':
      return owe()
    case 'by disconnecting':
      by.drop()
      return owe()
    case 'after its receipt': {
      // Waiting for the receipt's answer holds on every session, also when another one carries the receipt.
      let answered = false
      const answerOnce = (): void => {
        if (!answered) answer()
        answered = true
      }
      if (receipts.length === 0) return answerOnce()
      centre.counters.receiptsPending += receipts.length
      for (const receipt of receipts) {
        receipt.onAnswered = answerOnce
        centre.put(receipt)
      }
      return centre.responses.after(centre.options.earlyMs, answerOnce)
    }
  }
}
