import type { Account } from '../../identity/accounts/account.ts'
import type { Draft } from '../../channels/channel.ts'
import { chooseLane } from '../../channels/lane.ts'
import type { AcceptedJob } from '../../jobs/jobs.ts'
import type { MessageTrace } from '../../jobs/message-trace.ts'
import { ensureSealed, toWire } from '../../jobs/sealed.ts'
import type { Topology } from '../../jobs/queues.ts'
import { clock } from '../../platform/time/clock.ts'
import type { GroupPublisher } from '../../platform/broker/publish.ts'
import { createMsgKey } from '../../contract/msg-key.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { GateCounter } from '../../records/ledger/gate-counter.ts'
import type { AdmissionController } from '../admission/admission.ts'

/** A message that keeps its msgKey when its request is repeated, so that it is recorded once. */
export interface ReservedMessage {
  readonly msgKey: string
  /**
   * What requests did with the message. `none`: certainly nothing, it is judged like a new one. `accepted`: it passed
   * all checks, was counted, and was published, perhaps without a confirm. `unknown`: a process ended before it said.
   */
  earlier: 'none' | 'accepted' | 'unknown'
  /** The rule that held the accepted message for an operator's decision. */
  heldBy?: string | undefined
}

/** What a request provides for a message besides its content. */
export interface MessageOrigin {
  readonly reserved?: ReservedMessage | undefined
  /** Value of the header `traceparent`. */
  readonly caller?: string | undefined
}

/**
 * Assigns a msgKey to a checked draft and publishes it to the lane of its first step. Resolves with the
 * msgKey once the broker has confirmed, which makes the message durable.
 */
export type Accept = (account: Account, draft: Draft, origin?: MessageOrigin) => Promise<string>

export interface AcceptContext {
  readonly publisher: GroupPublisher
  readonly queues: Topology['accepted']
  readonly cell: string
  /** Counts confirmed messages, to detect a loss in the intake queue. */
  readonly gate?: Pick<GateCounter, 'process' | 'confirmed'>
  readonly admission?: Pick<AdmissionController, 'countAccepted'>
  readonly metrics: Metrics
  readonly trace?: MessageTrace | undefined
}

export function createAccept(context: AcceptContext): Accept {
  return async (account, draft, { reserved, caller } = {}) => {
    const started = performance.now()
    const now = clock.now()
    const job: AcceptedJob = {
      ...draft,
      v: 1,
      // A scheduled message belongs to the day of its send time, for its partition and its retention.
      msgKey: reserved?.msgKey ?? createMsgKey(context.cell, new Date(draft.sendAt ?? now)),
      accountId: account.id,
      acceptedAt: now,
      ...(context.gate === undefined ? {} : { acceptedBy: context.gate.process }),
    }
    const [first] = draft.steps
    const { channel } = first!
    const lane = chooseLane(first!, account.lane)
    const wire = toWire(await ensureSealed(job))
    context.admission?.countAccepted(account, lane, job.acceptedAt)
    await context.publisher.send(context.queues[lane], JSON.stringify(wire))
    context.gate?.confirmed(job.accountId, job.acceptedAt)
    context.metrics.acceptSeconds.observe({
      value: (performance.now() - started) / 1000,
      exemplarLabels: context.trace?.exemplarLabels(job.msgKey) ?? {},
    })
    context.metrics.accepted.inc({ channel })
    context.metrics.accountMessages.inc({ account: context.metrics.busyAccounts.getLabel(account.id) })
    context.trace?.addAccepted(job, channel, caller, { startedMs: started })
    return job.msgKey
  }
}
