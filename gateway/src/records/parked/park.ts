/**
 * Parks a job that cannot be processed, so that it blocks no other. Resolves when the job is durable: in the
 * parking queue, from which `collect.ts` moves it to the table where an operator retries or drops it, or in
 * that table while the broker is unavailable.
 */
import { isMsgKey } from '../../contract/msg-key.ts'
import { BrokerUnavailable } from '../../platform/broker/publish.ts'
import type { Broker } from '../../platform/broker/broker.ts'
import type { Database } from '../../platform/database/database.ts'
import { summarizeError } from '../../platform/logging/log-error.ts'
import { stringifyNested } from '../../platform/json.ts'
import type { Log } from '../../platform/logging/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { Topology } from '../../jobs/queues.ts'
import { toWire } from '../../jobs/sealed.ts'
import { saveParked } from './queries.ts'
import { readParked, type RetryStage } from './read.ts'

export interface ParkContext {
  readonly broker: Pick<Broker, 'publisher'>
  readonly topology: Topology
  readonly database: Database
  readonly metrics: Pick<Metrics, 'parked'>
  readonly log: Log
}

/** Parks a job. `cause` is the error of the stage, or why the job cannot be read. */
export async function parkJob(
  { broker, topology, database, metrics, log }: ParkContext,
  stage: RetryStage,
  job: unknown,
  cause: Error | string,
): Promise<void> {
  const failed = typeof cause !== 'string'
  const reason = failed ? summarizeError(cause) : cause
  const entry = { stage, job: toWire(job), reason }
  try {
    await broker.publisher.send(topology.parked, stringifyNested(entry))
  } catch (error) {
    if (!(error instanceof BrokerUnavailable)) throw error
    await saveParked(database, readParked(entry, topology))
  }
  metrics.parked.inc({ stage })
  log.error(
    { stage, ...identify(job), reason, ...(failed ? { err: cause } : {}) },
    'a job cannot be processed and was parked; it has no effect until it is retried. See `postern parked list`, correct the cause, then retry or drop it',
  )
}

/** Returns only values that cannot contain content. */
function identify(job: unknown): { readonly message?: string; readonly account?: number } {
  if (typeof job !== 'object' || job === null) return {}
  const { msgKey, accountId } = job as { readonly msgKey?: unknown; readonly accountId?: unknown }
  return {
    ...(typeof msgKey === 'string' && isMsgKey(msgKey) ? { message: msgKey } : {}),
    ...(typeof accountId === 'number' ? { account: accountId } : {}),
  }
}
