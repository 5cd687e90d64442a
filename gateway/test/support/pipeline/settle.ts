/** Starts the settle stage without routes, next steps or log. Stops when the test file ends. */
import type { Topology } from '../../../src/jobs/queues.ts'
import { createSendToSettle, type SendToSettle, type SettleQueues } from '../../../src/jobs/send-to-settle.ts'
import { startOrphanRetries, type OrphanRetriesContext } from '../../../src/pipeline/settle/orphan-retries.ts'
import { startSettle, type SettleContext, type Settling } from '../../../src/pipeline/settle/settle.ts'
import type { Broker } from '../../../src/platform/broker/broker.ts'
import type { GroupPublisher } from '../../../src/platform/broker/publish.ts'
import type { Database } from '../../../src/platform/database/database.ts'
import type { Metrics } from '../../../src/platform/metrics.ts'
import { RouteResultCounter } from '../../../src/carriers/routes/result-counter.ts'
import { addCleanup } from '../cleanup.ts'
import { emptyOutbox } from './outbox.ts'
import { silentLog } from '../silent-log.ts'

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
    log: silentLog,
    signal: stopping.signal,
    ...context,
  })
  addCleanup(() => {
    stopping.abort()
    return settle.stop()
  })
  return settle
}

/** Retries orphaned receipts until the test file ends. */
export function startTestOrphanRetries(context: TestSettleContext & Partial<OrphanRetriesContext>): void {
  const retries = startOrphanRetries({
    retentionDays: 30,
    routes: { value: [] },
    outbox: emptyOutbox,
    resultCounter: new RouteResultCounter(),
    log: silentLog,
    ...context,
  })
  addCleanup(() => retries.stop())
}

/** Sends only through the queue: PostgreSQL seems unavailable for direct settling. */
export function sendThroughQueue(publisher: GroupPublisher, topology: SettleQueues): SendToSettle {
  const settleNow = (): Promise<never> => Promise.reject(new Error('PostgreSQL is unavailable'))
  return createSendToSettle({ publisher, topology, settleNow })
}
