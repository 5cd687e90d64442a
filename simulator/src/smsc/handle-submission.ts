/**
 * Carries out the behaviour that the recipient's number selects: refuse, answer, disconnect, schedule receipts. A
 * message that is counted as accepted gets exactly the receipts that its behaviour and its registered_delivery
 * require, even if its session closes.
 */
import { esme } from '../smpp/protocol.ts'
import type { Submission } from '../smpp/read.ts'
import { behaviourFor, failedPart } from './behaviours.ts'
import type { Behaviour, ReceiptPlan } from './behaviours.ts'
import type { SmscState } from './smsc-state.ts'
import { mark } from '../shared/meter.ts'
import type { MessageId } from './ids.ts'
import { refusesTry, takeToken } from '../shared/limits.ts'
import type { KnownMessage } from './known-messages.ts'
import { layoutOf } from './parts.ts'
import type { Layout, Part } from './parts.ts'
import { receiptOf } from './receipt.ts'
import type { Receipt, AcceptedMessage } from './receipt.ts'
import { refusalOf } from './validate.ts'

/** The session of a submission, as far as a behaviour needs it. */
export interface Submitter {
  readonly systemId: string
  /** Does nothing once the session is closed. */
  answer(submission: Submission, sequence: number, messageId: string): void
  refuse(submission: Submission, sequence: number, commandStatus: number): void
  drop(): void
}

const EXCERPT_CHARACTERS = 20

export function handleSubmission(
  state: SmscState,
  by: Submitter,
  sequence: number,
  submission: Submission,
): void {
  const now = Date.now()
  const { counters } = state
  counters.submits++
  mark(state.meter, now)
  const behaviour = behaviourFor(submission.to.digits)
  const layout = layoutOf(submission)
  const refusal = typeof layout === 'number' ? layout : refusalFor(state, behaviour, submission, layout, now)
  if (refusal !== 0 || typeof layout === 'number') {
    if (refusal === esme.RTHROTTLED || refusal === esme.RMSGQFUL) counters.throttled++
    else counters.refused++
    by.refuse(submission, sequence, refusal)
    return
  }
  if (!behaviour.accepts) {
    counters.abandoned++
    by.drop()
    return
  }
  counters.accepted++
  const id = state.ids.next(behaviour.spelling)
  record(state, submission, layout, id)
  const known = knownMessage(state, behaviour, submission, layout, now)
  state.known.add(id.inResponse, known)
  const receipts = plansFor(behaviour, submission.registeredDelivery, layout.part).map((plan) =>
    receiptOf(acceptedMessage(by.systemId, submission, layout, id, now), plan),
  )
  const answer = (): void => by.answer(submission, sequence, id.inResponse)
  const owe = (): void => scheduleReceipts(state, behaviour, receipts, layout.part, known)
  respond(state, behaviour, by, receipts, answer, owe)
}

function refusalFor(
  state: SmscState,
  behaviour: Behaviour,
  submission: Submission,
  layout: Layout,
  now: number,
): number {
  const invalid = refusalOf(submission, layout.headerBytes)
  if (invalid !== 0) return invalid
  if (!takeToken(state.bucket, now)) return esme.RTHROTTLED
  if (behaviour.refuse !== undefined) {
    const text = submission.body.toString('latin1', layout.headerBytes)
    // Without the reference number, which a client may change from one try to the next.
    const key = `${submission.to.digits}|${layout.part?.sequence ?? 0}|${text}`
    if (refusesTry(state.tries, key, behaviour.refuse.tries)) return behaviour.refuse.commandStatus
  }
  return state.counters.receiptsPending >= state.options.maxPending ? esme.RMSGQFUL : esme.ROK
}

/** registered_delivery, bits 1-0: 0 no receipt, 1 always, 2 on failure only, 3 on success only. */
function plansFor(behaviour: Behaviour, registered: number, part: Part | undefined): readonly ReceiptPlan[] {
  const plans =
    part !== undefined && part.sequence === behaviour.failingPart ? [failedPart] : behaviour.receipts
  const receiptRequest = registered & 0x03
  if (receiptRequest === 0) return []
  if (receiptRequest === 1) return plans
  return plans.filter((plan) => (plan.state === 'DELIVRD') === (receiptRequest === 3))
}

/** A message without a receipt is delivered: a query is the only way to find that out. */
function knownMessage(
  state: SmscState,
  behaviour: Behaviour,
  submission: Submission,
  layout: Layout,
  now: number,
): KnownMessage {
  const from = submission.from.digits
  const plan = plansFor(behaviour, 1, layout.part).at(-1)
  if (plan === undefined) return { from, state: 'DELIVRD', error: '000', finalAt: now, cancelled: false }
  return {
    from,
    state: plan.state,
    error: plan.error,
    finalAt: now + receiptDelay(state, plan),
    cancelled: false,
  }
}

function acceptedMessage(
  systemId: string,
  submission: Submission,
  layout: Layout,
  id: MessageId,
  now: number,
): AcceptedMessage {
  const { from, to, body, dataCoding } = submission
  const end = Math.min(body.length, layout.headerBytes + EXCERPT_CHARACTERS)
  const excerpt = dataCoding <= 1 ? body.toString('latin1', layout.headerBytes, end) : ''
  return { systemId, receiptId: id.inReceipt, from, to, excerpt, acceptedAt: now }
}

function record(state: SmscState, submission: Submission, layout: Layout, id: MessageId): void {
  state.record?.add({
    id: id.inResponse,
    from: submission.from.digits,
    to: submission.to.digits,
    dataCoding: submission.dataCoding,
    octets: submission.body.toString('latin1', layout.headerBytes),
    part: layout.part,
  })
}

function scheduleReceipts(
  state: SmscState,
  behaviour: Behaviour,
  receipts: readonly Receipt[],
  part: Part | undefined,
  known: KnownMessage,
): void {
  const [first] = receipts
  if (first === undefined) return
  state.counters.receiptsPending += receipts.length
  if (!behaviour.partsReversed || part === undefined) {
    for (const receipt of receipts) putWhenDue(state, receipt, known)
    return
  }
  const { systemId, from, to } = first.message
  state.reversal.hold(`${systemId}|${from.digits}|${to.digits}|${part.ref}`, part, () => {
    for (const receipt of receipts) putWhenDue(state, receipt, known)
  })
}

/** A cancelled message gets no receipt. */
function putWhenDue(state: SmscState, receipt: Receipt, known: KnownMessage): void {
  const delayMs = receiptDelay(state, receipt.plan)
  if (delayMs === 0) return state.queueReceipt(receipt)
  state.receipts.after(delayMs, () => {
    if (known.cancelled) state.counters.receiptsPending--
    else state.queueReceipt(receipt)
  })
}

function receiptDelay({ options }: SmscState, plan: ReceiptPlan): number {
  return plan.late ? options.lateMs : options.receiptDelayMs
}

function respond(
  state: SmscState,
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
      return state.responses.after(state.options.slowMs, () => {
        answer()
        owe()
      })
    case 'never':
      return owe()
    case 'by disconnecting':
      by.drop()
      return owe()
    case 'after its receipt': {
      // The response waits for the receipt's answer even when another session carries the receipt.
      let answered = false
      const answerOnce = (): void => {
        if (!answered) answer()
        answered = true
      }
      if (receipts.length === 0) return answerOnce()
      state.counters.receiptsPending += receipts.length
      for (const receipt of receipts) {
        receipt.onAnswered = answerOnce
        state.queueReceipt(receipt)
      }
      return state.responses.after(state.options.earlyMs, answerOnce)
    }
  }
}
