/**
 * Carries out the behaviour selected by the recipient: refuse, respond, disconnect, schedule receipts. An
 * accepted message gets exactly the receipts required by its behaviour and registered_delivery, unless it is
 * cancelled, and even if its session closes.
 */
import { esme } from '../smpp/protocol.ts'
import type { SmppSubmission } from '../smpp/read.ts'
import { behaviourFor, failedPart } from './behaviours.ts'
import type { Behaviour, ReceiptPlan } from './behaviours.ts'
import type { SmscState } from './smsc-state.ts'
import { mark } from '../shared/meter.ts'
import type { MessageId } from './ids.ts'
import { shouldRefuseTry, takeToken } from '../shared/limits.ts'
import type { QueryableMessage } from './queryable-messages.ts'
import { parseLayout } from './parts.ts'
import type { Layout, MessagePart } from './parts.ts'
import { createReceipt } from './receipt.ts'
import type { Receipt, AcceptedMessage } from './receipt.ts'
import { checkSubmission } from './validate.ts'

/** The part of a session that behaviours need. */
export interface Submitter {
  readonly systemId: string
  /** Does nothing after the session is closed. */
  answer(submission: SmppSubmission, sequence: number, messageId: string): void
  refuse(submission: SmppSubmission, sequence: number, commandStatus: number): void
  drop(): void
}

const EXCERPT_CHARACTERS = 20
/** registered_delivery of a message that gets every receipt. */
const ALWAYS = 1

export function handleSubmission(
  state: SmscState,
  submitter: Submitter,
  sequence: number,
  submission: SmppSubmission,
): void {
  const now = Date.now()
  const { counters } = state
  counters.submits++
  mark(state.meter, now)
  const behaviour = behaviourFor(submission.to.digits)
  const layout = parseLayout(submission)
  const refusal = typeof layout === 'number' ? layout : refusalFor(state, behaviour, submission, layout, now)
  if (refusal !== 0 || typeof layout === 'number') {
    if (refusal === esme.RTHROTTLED || refusal === esme.RMSGQFUL) counters.throttled++
    else counters.refused++
    submitter.refuse(submission, sequence, refusal)
    return
  }
  if (!behaviour.accepts) {
    counters.abandoned++
    submitter.drop()
    return
  }
  counters.accepted++
  const id = state.ids.next(behaviour.idFormat)
  record(state, submission, layout, id)
  const queryable = toQueryable(state, behaviour, submission, layout, now)
  state.queryable.add(id.inResponse, queryable)
  const receipts = plansFor(behaviour, submission.registeredDelivery, layout.part).map((plan) =>
    createReceipt(acceptedMessage(submitter.systemId, submission, layout, id, now), plan),
  )
  const answer = (): void => submitter.answer(submission, sequence, id.inResponse)
  const schedule = (): void => scheduleReceipts(state, behaviour, receipts, layout.part, queryable)
  respond(state, behaviour, submitter, receipts, answer, schedule)
}

function refusalFor(
  state: SmscState,
  behaviour: Behaviour,
  submission: SmppSubmission,
  layout: Layout,
  now: number,
): number {
  const faultStatus = checkSubmission(submission, layout.headerBytes)
  if (faultStatus !== 0) return faultStatus
  if (!takeToken(state.bucket, now)) return esme.RTHROTTLED
  if (behaviour.refuse !== undefined) {
    const text = submission.body.toString('latin1', layout.headerBytes)
    // The key omits the reference number, which a client can change between attempts.
    const key = `${submission.to.digits}|${layout.part?.sequence ?? 0}|${text}`
    if (shouldRefuseTry(state.tries, key, behaviour.refuse.tries)) return behaviour.refuse.commandStatus
  }
  return state.counters.receiptsPending >= state.options.maxPending ? esme.RMSGQFUL : esme.ROK
}

/**
 * Selects receipts by registered_delivery, bits 1-0: none (0), always (1), on failure only (2), on success
 * only (3).
 */
function plansFor(
  behaviour: Behaviour,
  registeredDelivery: number,
  part: MessagePart | undefined,
): readonly ReceiptPlan[] {
  const plans =
    part !== undefined && part.sequence === behaviour.failingPart ? [failedPart] : behaviour.receipts
  const receiptRequest = registeredDelivery & 0x03
  if (receiptRequest === 0) return []
  if (receiptRequest === ALWAYS) return plans
  return plans.filter((plan) => (plan.state === 'DELIVRD') === (receiptRequest === 3))
}

/** A message without a receipt counts as delivered, which only a query reveals. */
function toQueryable(
  state: SmscState,
  behaviour: Behaviour,
  submission: SmppSubmission,
  layout: Layout,
  now: number,
): QueryableMessage {
  const from = submission.from.digits
  const plan = plansFor(behaviour, ALWAYS, layout.part).at(-1)
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
  submission: SmppSubmission,
  layout: Layout,
  id: MessageId,
  now: number,
): AcceptedMessage {
  const { from, to, body, dataCoding } = submission
  const end = Math.min(body.length, layout.headerBytes + EXCERPT_CHARACTERS)
  const excerpt = dataCoding <= 1 ? body.toString('latin1', layout.headerBytes, end) : ''
  return { systemId, receiptId: id.inReceipt, from, to, excerpt, acceptedAt: now }
}

function record(state: SmscState, submission: SmppSubmission, layout: Layout, id: MessageId): void {
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
  part: MessagePart | undefined,
  queryable: QueryableMessage,
): void {
  const [first] = receipts
  if (first === undefined) return
  state.counters.receiptsPending += receipts.length
  if (!behaviour.partsReversed || part === undefined) {
    for (const receipt of receipts) queueWhenDue(state, receipt, queryable)
    return
  }
  const { systemId, from, to } = first.message
  state.reversal.hold(`${systemId}|${from.digits}|${to.digits}|${part.ref}`, part, () => {
    for (const receipt of receipts) queueWhenDue(state, receipt, queryable)
  })
}

/** Queues the receipt when it is due, unless the message was cancelled. */
function queueWhenDue(state: SmscState, receipt: Receipt, queryable: QueryableMessage): void {
  const delayMs = receiptDelay(state, receipt.plan)
  if (delayMs === 0) return state.queueReceipt(receipt)
  state.receipts.after(delayMs, () => {
    if (queryable.cancelled) state.counters.receiptsPending--
    else state.queueReceipt(receipt)
  })
}

function receiptDelay({ options }: SmscState, plan: ReceiptPlan): number {
  return plan.late ? options.lateMs : options.receiptDelayMs
}

function respond(
  state: SmscState,
  behaviour: Behaviour,
  submitter: Submitter,
  receipts: readonly Receipt[],
  answer: () => void,
  schedule: () => void,
): void {
  switch (behaviour.answer) {
    case 'at once':
      answer()
      return schedule()
    case 'slowly':
      return state.responses.after(state.options.slowMs, () => {
        answer()
        schedule()
      })
    case 'never':
      return schedule()
    case 'by disconnecting':
      submitter.drop()
      return schedule()
    case 'after its receipt': {
      // Waits for the response to the receipt, even if another session carries it.
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
