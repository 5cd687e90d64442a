/**
 * Assigns a msgKey to a checked draft and publishes it to the lane of its first step; the broker's confirm makes it durable.
 * Called by the send endpoints.
 */
import type { Account } from '../../accounts/account.ts'
import type { ChannelName, Draft } from '../../channels/channel.ts'
import { laneOf } from '../../channels/lane.ts'
import type { AcceptedJob } from '../../jobs/jobs.ts'
import type { MessageTrace } from '../../jobs/message-trace.ts'
import { ensureSealed, toWire } from '../../jobs/sealed.ts'
import type { Topology } from '../../jobs/queues.ts'
import { clock } from '../../platform/clock.ts'
import type { GroupPublisher } from '../../platform/broker/publish.ts'
import { createMsgKey } from '../../contract/msg-key.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { GateCounter } from '../../records/ledger/gate-counter.ts'
import type { Admission } from '../admission/admission.ts'

/**
 * Resolves with the msgKey once the broker has confirmed: a new one, or the one that was reserved for the draft. `caller`: the
 * header `traceparent` of the request.
 */
export type Accept = (
  account: Account,
  channel: ChannelName,
  draft: Draft,
  reservedKey?: string,
  caller?: string,
) => Promise<string>

export interface AcceptContext {
  readonly publisher: GroupPublisher
  readonly queues: Topology['accepted']
  readonly cell: string
  /** Counts what the broker confirmed, so that a loss in the first queue is seen. */
  readonly gate?: Pick<GateCounter, 'process' | 'confirmed'>
  readonly admission?: Pick<Admission, 'countAccepted'>
  readonly metrics: Metrics
  readonly trace?: MessageTrace | undefined
}

export function createAccept(context: AcceptContext): Accept {
  return async (account, channel, draft, reservedKey, caller) => {
    const started = performance.now()
    const now = clock.now()
    const job: AcceptedJob = {
      ...draft,
      v: 1,
      // A scheduled message belongs to the day it is sent: its partition and its retention count from then.
      msgKey: reservedKey ?? createMsgKey(context.cell, new Date(draft.sendAt ?? now)),
      accountId: account.id,
      acceptedAt: now,
      ...(context.gate === undefined ? {} : { acceptedBy: context.gate.process }),
    }
    const lane = laneOf(draft.steps[0]!, account.lane)
    const wire = toWire(await ensureSealed(job))
    context.admission?.countAccepted(account, lane, job.acceptedAt)
    await context.publisher.send(context.queues[lane], JSON.stringify(wire))
    context.gate?.confirmed(job.accountId, job.acceptedAt)
    context.metrics.acceptSeconds.observe((performance.now() - started) / 1000)
    context.metrics.accepted.inc({ channel })
    context.metrics.accountMessages.inc({ account: context.metrics.busyAccounts.labelOf(account.id) })
    context.trace?.accepted(job, channel, caller, { startedMs: started })
    return job.msgKey
  }
}
