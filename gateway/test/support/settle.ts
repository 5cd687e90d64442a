/** The settle stage as tests start it: no routes, no next steps, nothing logged. Stops when the test file ends. */
import type { Topology } from '../../src/jobs/queues.ts'
import { createSendToSettle, type SendToSettle, type SettleQueues } from '../../src/jobs/send-to-settle.ts'
import { startOrphanRetries } from '../../src/pipeline/settle/orphan-retries.ts'
import { startSettle, type SettleContext, type Settling } from '../../src/pipeline/settle/settle.ts'
import type { Broker } from '../../src/platform/broker/broker.ts'
import type { GroupPublisher } from '../../src/platform/broker/publish.ts'
import type { Database } from '../../src/platform/database.ts'
import type { Metrics } from '../../src/platform/metrics.ts'
import { RouteResultCounter } from '../../src/routes/result-counter.ts'
import { atEnd } from './cleanup.ts'
import { emptyOutbox } from './outbox.ts'
import { quietLog } from './silent-log.ts'

export interface TestSettleContext extends Partial<SettleContext> {
  readonly broker: Broker
  readonly topology: Topology
  readonly database: Database
  readonly metrics: Metrics
}

export function startTestSettle(context: TestSettleContext): Settling {
  const stopping = new AbortController()
  const settle = startSettle({
    retentionDays: 30,
    routes: { value: [] },
    outbox: emptyOutbox,
    resultCounter: new RouteResultCounter(),
    log: quietLog,
    signal: stopping.signal,
    ...context,
  })
  atEnd(() => {
    stopping.abort()
    return settle.stop()
  })
  return settle
}

/** Matches orphaned receipts again, until the test file ends. */
export function startTestOrphanRetries(context: TestSettleContext): void {
  const retries = startOrphanRetries({
    retentionDays: 30,
    routes: { value: [] },
    outbox: emptyOutbox,
    resultCounter: new RouteResultCounter(),
    log: quietLog,
    ...context,
  })
  atEnd(() => retries.stop())
}

/** Through the queue only: for tests in which the broker accepts everything, or nothing is settled without it. */
export function sendThroughQueue(publisher: GroupPublisher, topology: SettleQueues): SendToSettle {
  const settleNow = (): Promise<never> => Promise.reject(new Error('PostgreSQL is unavailable'))
  return createSendToSettle({ publisher, topology, settleNow })
}
