/**
 * The settle stage: consumes receipts, verdicts and answers, ends steps, and starts the next step or closes the message. A job is
 * acknowledged after its effect is committed. Verdicts and answers have their own queue and their own batches, so a fallback does not
 * wait behind the receipts of a carrier. While the broker accepts nothing, jobs are settled directly.
 */
import type { SendToSettle } from '../../jobs/send-to-settle.ts'
import { readSettleJob } from '../../jobs/read.ts'
import type { SettleJob } from '../../jobs/jobs.ts'
import type { Run } from '../../platform/add-repeatedly.ts'
import type { QueueSpec } from '../../platform/broker/queue-spec.ts'
import { retryTransient } from '../../platform/retry.ts'
import { parkJob } from '../../records/parked/park.ts'
import { ReceiptWatermark, type SettleQueue } from './receipt-watermark.ts'
import { createSettler, type SettleGroup, type SettlerContext } from './settler.ts'

export type SettleContext = SettlerContext

export interface Settling {
  readonly active: boolean
  readonly watermark: ReceiptWatermark
  /** Settles a job immediately, without the queue; rejects when PostgreSQL is unavailable. */
  readonly settleNow: SendToSettle
  stop(): Promise<void>
}

export function startSettle(context: SettleContext): Settling {
  const { broker, topology, log } = context
  const settleReceipts = createSettler(context)
  const settleVerdicts = createSettler(context)
  const once: Run = (_what, work) => work()

  async function readAndSettle(settle: SettleGroup, candidates: readonly unknown[], run: Run): Promise<void> {
    const jobs: SettleJob[] = []
    for (const candidate of candidates) {
      const read = readSettleJob(candidate)
      if (read.ok) jobs.push(read.job)
      else await run('parking a job', () => parkJob(context, 'settle', candidate, read.reason))
    }
    await settle(jobs, run)
  }

  function consume(spec: QueueSpec, settle: SettleGroup) {
    const consumption = broker.consume(spec, { prefetch: 64 }, ({ jobs, signal }) =>
      readAndSettle(settle, jobs, (what, work) => retryTransient(work, { what, log, signal })),
    )
    return { spec, consumption } satisfies SettleQueue
  }

  const queues = [consume(topology.receipts, settleReceipts), consume(topology.verdicts, settleVerdicts)]
  return {
    get active() {
      return queues.every(({ consumption }) => consumption.active)
    },
    watermark: new ReceiptWatermark(broker, queues, context.metrics),
    settleNow: (job) => (job.kind === 'receipt' ? settleReceipts : settleVerdicts)([job], once),
    async stop() {
      await Promise.all(queues.map(({ consumption }) => consumption.stop()))
    },
  }
}
