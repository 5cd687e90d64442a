/**
 * Passes a receipt, a verdict or a response to settle: through a queue, or directly while the broker accepts
 * nothing. Resolves when the job or its effect is durable, and rejects if neither engine accepts it. A job
 * that arrives both ways is settled once.
 */
import { BrokerUnavailable, type GroupPublisher } from '../platform/broker/publish.ts'
import type { SettleJob } from './jobs.ts'
import type { Topology } from './queues.ts'

export type SettleQueues = Pick<Topology, 'receipts' | 'verdicts'>

export type SendToSettle = (job: SettleJob) => Promise<void>

export interface SendToSettleContext {
  readonly publisher: GroupPublisher
  readonly topology: SettleQueues
  /** Settles the job in this process; rejects if PostgreSQL is unavailable. */
  readonly settleNow: SendToSettle
}

/**
 * Creates a sender that only uses the queues, for a process that cannot settle. It rejects while the broker
 * is unavailable.
 */
export function createQueueSender(publisher: GroupPublisher, topology: SettleQueues): SendToSettle {
  return (job) =>
    publisher.send(job.kind === 'receipt' ? topology.receipts : topology.verdicts, JSON.stringify(job))
}

export function createSendToSettle({ publisher, topology, settleNow }: SendToSettleContext): SendToSettle {
  const sendToQueue = createQueueSender(publisher, topology)
  return (job) =>
    sendToQueue(job).catch((error: unknown) => {
      if (!(error instanceof BrokerUnavailable)) throw error
      return settleNow(job)
    })
}
