/**
 * Hands a receipt, a verdict or an answer over to settle: through its queue, or directly while the broker accepts nothing. Resolves
 * when the job or its effect is durable, and rejects when neither engine accepts it. A job that arrives both ways is
 * settled once. Called by receipts and dispatch.
 */
import { BrokerUnavailable, type GroupPublisher } from '../platform/broker/publish.ts'
import type { SettleJob } from './jobs.ts'
import type { Topology } from './queues.ts'

export type SendToSettle = (job: SettleJob) => Promise<void>

export interface SendToSettleContext {
  readonly publisher: GroupPublisher
  readonly topology: Pick<Topology, 'receipts'>
  /** Settles the job in this process; rejects when PostgreSQL is unavailable. */
  readonly settleNow: SendToSettle
}

/** Through the queue alone: for a process that cannot settle. Rejects while the broker is unavailable. */
export function createQueueSender(
  publisher: GroupPublisher,
  topology: Pick<Topology, 'receipts'>,
): SendToSettle {
  return (job) => publisher.send(topology.receipts, JSON.stringify(job))
}

export function createSendToSettle({ publisher, topology, settleNow }: SendToSettleContext): SendToSettle {
  const sendToQueue = createQueueSender(publisher, topology)
  return (job) =>
    sendToQueue(job).catch((error: unknown) => {
      if (!(error instanceof BrokerUnavailable)) throw error
      return settleNow(job)
    })
}
