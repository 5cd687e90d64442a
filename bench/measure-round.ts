/** Runs one round of the whole pipeline on one variant: from the first request to the last report row. */
import { setTimeout as delay } from 'node:timers/promises'
import type { LoadJob } from './load/job.ts'
import type { LoadGenerator } from './load/load.ts'
import type { Round } from './rounds.ts'
import type { PipelineVariant } from './variants.ts'

const pollIntervalMs = 50
export const maxRoundMs = 180_000

export async function measureRound(
  side: PipelineVariant,
  load: LoadGenerator,
  job: LoadJob,
): Promise<Omit<Round, 'cpu' | 'disturbance'>> {
  const last = await side.lastReport()
  const [result, endedAt] = await Promise.all([load.run(job), untilReported(side, last, job.requests)])
  if (result.refused > 0) throw new Error(`${result.refused} sends refused: ${result.firstRefusal ?? ''}`)
  const seconds = (endedAt - result.startedAt) / 1000
  const { p50Ms, p99Ms } = result
  return { perSecond: job.requests / seconds, messages: job.requests, seconds, p50Ms, p99Ms }
}

/** Returns when the last report row was seen, in milliseconds since the epoch. */
async function untilReported(side: PipelineVariant, last: number, expected: number): Promise<number> {
  const deadline = performance.now() + maxRoundMs
  for (;;) {
    // The last number is cheap to read; rows are counted only after it is reached.
    if ((await side.lastReport()) >= last + expected && (await side.countReports(last)) >= expected) {
      return performance.timeOrigin + performance.now()
    }
    if (performance.now() > deadline) {
      throw new Error(`only ${await side.countReports(last)} of ${expected} reports after ${maxRoundMs} ms`)
    }
    await delay(pollIntervalMs)
  }
}
