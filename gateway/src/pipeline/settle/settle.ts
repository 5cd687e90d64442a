/**
 * The settle stage: consumes receipts, verdicts and answers, ends steps, and starts the next step or closes the message. A job is
 * acknowledged after its effect is committed. While the broker accepts nothing, receipts and verdicts reach it directly.
 * Called by the worker role.
 */
import type { SendToSettle } from '../../jobs/send-to-settle.ts'
import { readSettleJob } from '../../jobs/read.ts'
import type { SettleJob } from '../../jobs/jobs.ts'
import type { Run } from '../../platform/add-repeatedly.ts'
import type { Consumption } from '../../platform/broker/consume.ts'
import { retryTransient } from '../../platform/retry.ts'
import { parkJob } from '../../records/parked/park.ts'
import { createSettler, type SettlerContext } from './settler.ts'

export type SettleContext = SettlerContext

export interface Settling extends Consumption {
  /** Settles a job at once, without the queue; rejects when PostgreSQL is unavailable. */
  readonly settleNow: SendToSettle
}

export function startSettle(context: SettleContext): Settling {
  const { broker, topology, log } = context
  const settleGroup = createSettler(context)
  const once: Run = (_what, work) => work()

  async function readAndSettle(candidates: readonly unknown[], run: Run): Promise<void> {
    const jobs: SettleJob[] = []
    for (const candidate of candidates) {
      const read = readSettleJob(candidate)
      if (read.ok) jobs.push(read.job)
      else await run('parking a job', () => parkJob(context, 'settle', candidate, read.reason))
    }
    await settleGroup(jobs, run)
  }

  const consumption = broker.consume(topology.receipts, { prefetch: 64 }, ({ jobs, signal }) =>
    readAndSettle(jobs, (what, work) => retryTransient(work, { what, log, signal })),
  )
  return {
    get active() {
      return consumption.active
    },
    stop: () => consumption.stop(),
    settleNow: (job) => settleGroup([job], once),
  }
}
