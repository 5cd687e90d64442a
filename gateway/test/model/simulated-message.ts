import type { Step } from '../../src/channels/channel.ts'
import type { AttemptRow } from '../../src/records/attempts/attempts.ts'
import type { AcceptedJob, ReceiptJob, VerdictJob } from '../../src/jobs/jobs.ts'
import { createMsgKey } from '../../src/contract/msg-key.ts'
import { sender, smsStep } from '../support/fixtures.ts'
import { MessageModel } from './message-model.ts'
import { seededRandom, type MessagePlan } from './message-plan.ts'

export interface PendingDelivery {
  readonly step: number
  readonly id: string
  readonly job: ReceiptJob | VerdictJob
  tries: number
}

const rcsStep: Step = { channel: 'rcs', content: { from: sender, formatId: 'SS000000', content: {} } }
let created = 0

/** Route of a carrier that sends receipts for ids and recipients of other carriers. */
export const foreignRoute = 'foreign'

/** Message of the simulation with its broker deliveries and the receipts that carriers still have to send. */
export class SimulatedMessage {
  readonly accepted: AcceptedJob
  readonly model: MessageModel
  readonly random: () => number
  /** Unacknowledged deliveries in the broker. */
  toIntake = true
  toRoute: number[] = []
  toSettle: PendingDelivery[] = []
  /** Receipts that carriers still have to send. */
  receiptsToCome: PendingDelivery[] = []
  readonly history: string[] = []
  readonly #plan: MessagePlan

  constructor(plan: MessagePlan, accountId: number) {
    this.#plan = plan
    this.model = new MessageModel(plan.steps)
    this.random = seededRandom(plan.seed)
    // Unique, because a receipt with an unknown id is matched by recipient.
    const to = `010${String(10_000_000 + ++created)}`
    this.accepted = {
      v: 1,
      msgKey: createMsgKey('00', new Date()),
      accountId,
      acceptedAt: Date.now(),
      to,
      steps: plan.steps.map(({ channel }) => (channel === 'sms' ? smsStep : rcsStep)),
    }
  }

  get msgKey(): string {
    return this.accepted.msgKey
  }

  decide(probability: number): boolean {
    return this.random() < probability
  }

  note(line: string): void {
    this.history.push(line)
  }

  /** Submits every part of the step. Returns the carrier's responses and plans its receipts. */
  submit(step: number): AttemptRow[] {
    const parts = this.#plan.steps[step - 1]!.parts
    return parts.map(({ response, receipts }, index) => {
      const id = `${this.msgKey.slice(19)}-${step}-${index + 1}x`
      if (response !== 'refused') {
        for (const cause of receipts) {
          // A carrier can send a receipt to any session of the login.
          const routeId = this.decide(0.3) ? `route-${step}-b` : `route-${step}`
          this.receiptsToCome.push({ step, id, tries: 0, job: this.#receipt(routeId, id, cause) })
        }
        if (this.decide(0.1))
          this.receiptsToCome.push({ step, id, tries: 0, job: this.#receipt(foreignRoute, id, 'failed') })
      }
      return {
        ...this.#row(step, index),
        outcome: response === 'accepted-without-id' ? 'accepted' : response,
        carrierId: response === 'accepted' ? id : response === 'accepted-without-id' ? '' : null,
        code: response === 'accepted' || response === 'accepted-without-id' ? null : response,
        cause: response === 'refused' ? 'bad-number' : null,
      }
    })
  }

  /** Returns the attempts that the next owner of the route records after a lost response. */
  createInterruptedAttempts(step: number): AttemptRow[] {
    return this.#plan.steps[step - 1]!.parts.map((_, index) => ({
      ...this.#row(step, index),
      outcome: 'unknown',
      carrierId: null,
      code: 'interrupted',
      cause: null,
    }))
  }

  /** Returns the delivery that ends the step because of a recorded rejection. */
  createRejectedDelivery(step: number): PendingDelivery {
    return this.#verdict(step, 'bad-number', 'claimed')
  }

  /** Returns the delivery of a process that found the step unsubmitted: a repeated intake or an operator. */
  createUnsubmittedDelivery(step: number): PendingDelivery {
    return this.#verdict(step, 'failed', 'unclaimed')
  }

  #verdict(step: number, cause: VerdictJob['cause'], state: VerdictJob['state']): PendingDelivery {
    const { msgKey } = this
    const job: VerdictJob = {
      v: 1,
      kind: 'verdict',
      msgKey,
      step,
      try: 1,
      cause,
      parts: 1,
      at: Date.now(),
      state,
    }
    return { step, id: `verdict if ${state}`, tries: 0, job }
  }

  #row(step: number, index: number): Omit<AttemptRow, 'outcome' | 'carrierId' | 'code' | 'cause'> {
    return {
      msgKey: this.msgKey,
      step,
      try: 1,
      part: index + 1,
      parts: this.#plan.steps[step - 1]!.parts.length,
      // Each step has a separate route.
      routeId: `route-${step}`,
      recipient: this.accepted.to,
      submittedAt: new Date(),
    }
  }

  #receipt(routeId: string, id: string, cause: ReceiptJob['cause']): ReceiptJob {
    return {
      v: 1,
      kind: 'receipt',
      routeId,
      carrierId: id,
      result: cause === 'delivered' ? 'delivered' : 'failed',
      cause,
      code: 'CODE:000',
      recipient: this.accepted.to,
      at: Date.now(),
      receivedAt: Date.now(),
    }
  }
}
