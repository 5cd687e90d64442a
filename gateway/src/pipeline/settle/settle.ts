/**
 * The settle stage: consumes receipts and verdicts, ends steps, and starts the next step or closes the message. A job is
 * acknowledged after its effect is committed. While the broker accepts nothing, receipts and verdicts reach it directly.
 * Called by the worker role.
 */
import type { SendToSettle } from '../../jobs/send-to-settle.ts'
import { readSettleJob } from '../../jobs/read.ts'
import type { Consumption } from '../../platform/broker/consume.ts'
import { retryTransient } from '../../platform/retry.ts'
import { parkJob } from '../../records/parked/park.ts'
import { createSettler, type Run, type SettlerContext } from './settler.ts'

export type SettleContext = SettlerContext

export interface Settling extends Consumption {
  /** Settles a job at once, without the queue; rejects when PostgreSQL is unavailable. */
  readonly settleNow: SendToSettle
}

export function startSettle(context: SettleContext): Settling {
  const { broker, topology, log } = context
  const settleOne = createSettler(context)
  const once: Run = (_what, work) => work()

  async function readAndSettle(candidate: unknown, signal: AbortSignal): Promise<void> {
    const retried: Run = (what, work) => retryTransient(work, { what, log, signal })
    const read = readSettleJob(candidate)
    if (read.ok) return settleOne(read.job, retried)
    await retried('parking a job', () => parkJob(context, 'settle', candidate, read.reason))
  }

  const consumption = broker.consume(topology.receipts, { prefetch: 64 }, async ({ jobs, signal }) => {
    await Promise.all(jobs.map((job) => readAndSettle(job, signal)))
  })
  return {
    get active() {
      return consumption.active
    },
    stop: () => consumption.stop(),
    settleNow: (job) => settleOne(job, once),
  }
}
