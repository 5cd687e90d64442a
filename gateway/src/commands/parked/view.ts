/** Parked jobs as the commands print them, over either way; the payload only on request. Pure. */
import type { RetryResult } from '../../parked/retry.ts'
import { timeText, type Result } from '../result.ts'

export interface ShownJob {
  readonly id: number
  readonly parkedAt: Date | string
  readonly stage: string
  readonly msgKey: string | null
  readonly reason: string | null
  readonly times: number
}

function jobJson({ id, stage, msgKey, reason, times, parkedAt }: ShownJob) {
  return { id, parkedAt, stage, msgKey, reason, times }
}

function jobLine({ id, stage, msgKey, reason, times, parkedAt }: ShownJob): string {
  const repeated = times === 1 ? '' : ` (${times} times)`
  return `${String(id).padStart(6)}  ${timeText(parkedAt)}  ${stage.padEnd(10)}  ${msgKey ?? '-'}  ${reason ?? `see the log of ${stage}`}${repeated}`
}

/** `queued` is null while RabbitMQ does not answer. */
export function parkedResult(jobs: readonly ShownJob[], queued: number | null): Result {
  const lines = jobs.length === 0 ? ['no job is parked'] : jobs.map(jobLine)
  if (queued === null)
    lines.push('RabbitMQ does not answer: more may be in the parking queue; run the command again')
  else if (queued > 0)
    lines.push(`${queued} more in the parking queue of RabbitMQ: a running worker moves them here`)
  return { json: { parked: jobs.map(jobJson), queued }, lines }
}

export interface WholeJob extends ShownJob {
  readonly keys: Readonly<Record<string, unknown>>
  readonly bytes: number
  readonly payload: string | null
}

export function jobResult(job: WholeJob): Result {
  const { keys, bytes, payload } = job
  return {
    json: { ...jobJson(job), keys, bytes, payload },
    lines: [
      jobLine(job),
      ...Object.entries(keys).map(([name, value]) => `${name.padEnd(10)}  ${String(value)}`),
      payload ?? `${bytes} bytes; --reveal prints them, with what the client wrote`,
    ],
  }
}

export interface RetriedJob {
  readonly id: number
  readonly stage: string
  readonly result: RetryResult
}

const descriptions: Readonly<Record<RetryResult, (job: RetriedJob) => string>> = {
  retried: ({ stage }) => `handed to ${stage} again`,
  'parked-again': () => 'handed over, and already parked again',
  ended: () => 'its step had already ended; removed',
  unreadable: ({ id }) => `no stage can read it; \`postern parked drop ${id} --reason …\` gives it up`,
}

export function retriedResult(
  jobs: readonly RetriedJob[],
  stoppedAt: { readonly id: number; readonly error: string } | null,
): Result {
  const lines = jobs.map((job) => `${job.id}: ${descriptions[job.result](job)}`)
  if (stoppedAt !== null)
    lines.push(`${stoppedAt.id}: ${stoppedAt.error}; stopped here, run the command again for the rest`)
  else if (jobs.length === 0) lines.push('no job to retry')
  return {
    json: { jobs: jobs.map(({ id, result }) => ({ id, result })), stoppedAt },
    lines,
    failed: stoppedAt !== null,
  }
}

export function droppedResult(id: number, effect: string): Result {
  return { json: { id, effect }, lines: [`${id}: dropped; ${effect}`] }
}
