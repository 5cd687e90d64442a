/** A job that can never be settled must not keep the others: it is found and put aside. */
import { parkJob } from '../../jobs/park.ts'
import type { Topology } from '../../jobs/queues.ts'
import type { Broker } from '../../platform/broker/broker.ts'
import { isTransient, type Database } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { RouteTally } from '../../routes/tally.ts'
import { settleBatch, type Fate, type SettleItem } from './batch.ts'
import type { Outbox } from '../scheduling/outbox.ts'

export interface SettleOrParkContext {
  readonly broker: Broker
  readonly topology: Topology
  readonly database: Database
  readonly outbox: Outbox
  readonly metrics: Metrics
  /** What became of each route's messages. */
  readonly tally: Pick<RouteTally, 'note'>
  readonly log: Log
}

export async function settleOrPark(
  context: SettleOrParkContext,
  items: readonly SettleItem[],
  notBefore: string,
): Promise<Fate[]> {
  try {
    const { database, metrics, outbox, log } = context
    const { fates, doubled } = await settleBatch(database, items, notBefore, metrics, outbox)
    for (const { msgKey, step } of doubled) {
      log.warn({ message: msgKey, step }, 'delivered twice: this step and another of its flow')
    }
    items.forEach(({ job }, index) => {
      if (job.kind === 'receipt' && fates[index] === 'settled') context.tally.note(job.routeId, job.cause)
    })
    return fates
  } catch (error) {
    if (isTransient(error)) throw error
    if (items.length === 1) {
      await parkJob(context, 'settle', items[0]!.job, error as Error)
      return ['settled']
    }
    const fates: Fate[] = []
    for (const item of items) fates.push(...(await settleOrPark(context, [item], notBefore)))
    return fates
  }
}
