/**
 * Interprets a message of the parking queue: the stage that parked it, the job and the message it belongs to.
 * Accepts any input, because unreadable messages are parked as well.
 */
import type { Topology } from '../../jobs/queues.ts'
import { isMsgKey } from '../../contract/msg-key.ts'
import type { RejectedMessage } from '../../platform/broker/consume.ts'
import { stringifyNested } from '../../platform/json.ts'

export const retryStages = ['intake', 'dispatch', 'settle', 'opt-outs'] as const
export type RetryStage = (typeof retryStages)[number]
/** No stage can process an `unreadable` job. */
export type ParkedStage = RetryStage | 'unreadable'

export interface ParkedJob {
  readonly stage: ParkedStage
  readonly msgKey: string | null
  readonly reason: string | null
  readonly payload: Buffer
}

/** Reads the job that a stage parked (`{ stage, job, reason? }`), or the jobs of a message that a consumer rejected. */
export function readParked(entry: unknown, topology: Topology): ParkedJob[] {
  const { stage, job, reason } = asRecord(entry)
  if (isRetryStage(stage) && job !== undefined) return [readJob(stage, job, reason)]
  return isRejected(entry)
    ? readRejected(entry, topology)
    : [readJob('unreadable', entry, 'it names no stage')]
}

function readRejected({ queue, reason, body }: RejectedMessage, topology: Topology): ParkedJob[] {
  const payload = Buffer.from(body, 'base64')
  const parsed = parseJob(payload)
  const origin = `, rejected from ${queue}`
  if (parsed === undefined) return [readUnreadable(payload, origin)]
  const jobs: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed]
  return jobs.map((job) => readJob(findStage(queue, topology), job, `${reason}${origin}`))
}

function readJob(stage: ParkedStage, job: unknown, reason: unknown): ParkedJob {
  return {
    stage,
    msgKey: getMsgKey(job),
    reason: printable(reason),
    payload: Buffer.from(stringifyNested(job)),
  }
}

export function readUnreadable(payload: Buffer, origin = ''): ParkedJob {
  return { stage: 'unreadable', msgKey: null, reason: printable(`not JSON${origin}`), payload }
}

const shownFields = 'kind msgKey accountId step try routeId carrierId result cause code'.split(' ')

/** Returns the identifying fields of a job, without content and phone numbers. */
export function identifyingFields(payload: Buffer): Record<string, string | number> {
  const job = asRecord(parseJob(payload))
  return Object.fromEntries(
    shownFields.flatMap((name) => {
      const value = job[name]
      return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : []
    }),
  )
}

export function parseJob(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString()) as unknown
  } catch {
    return undefined
  }
}

export function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function getMsgKey(job: unknown): string | null {
  const { msgKey } = asRecord(job)
  return typeof msgKey === 'string' && isMsgKey(msgKey) ? msgKey : null
}

function findStage(queue: string, topology: Topology): ParkedStage {
  if (Object.values(topology.accepted).some(({ name }) => name === queue)) return 'intake'
  if (queue === topology.receipts.name || queue === topology.verdicts.name) return 'settle'
  if (queue === topology.optOuts.name) return 'opt-outs'
  return queue === topology.parked.name ? 'unreadable' : 'dispatch'
}

function isRetryStage(stage: unknown): stage is RetryStage {
  return retryStages.some((known) => known === stage)
}

function isRejected(entry: unknown): entry is RejectedMessage {
  const { queue, reason, body } = asRecord(entry)
  return [queue, reason, body].every((field) => typeof field === 'string')
}

/** Sanitizes a reason: it can come from another program, and PostgreSQL text cannot contain U+0000. */
function printable(reason: unknown): string | null {
  return typeof reason === 'string' ? reason.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 200) : null
}
