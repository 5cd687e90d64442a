/**
 * Interprets a message of the broker's parking queue: the stage that parked it, the job and the message it belongs to.
 * Pure. It accepts any input, because unreadable messages are parked here too.
 */
import type { Topology } from '../../jobs/queues.ts'
import { isMsgKey } from '../../contract/msg-key.ts'
import { stringifyNested } from '../../platform/json.ts'

export const retryStages = ['intake', 'dispatch', 'settle', 'opt-outs'] as const
export type RetryStage = (typeof retryStages)[number]
/** `unreadable`: no stage can process it. */
export type ParkedStage = RetryStage | 'unreadable'

export interface ParkedJob {
  readonly stage: ParkedStage
  readonly msgKey: string | null
  readonly reason: string | null
  readonly payload: Buffer
}

/** A job that a stage parked (`{ stage, job, reason? }`), or one that the broker moved here from `rejectedBy`. */
export function readParked(entry: unknown, rejectedBy: string | undefined, topology: Topology): ParkedJob {
  const { stage, job, reason } = asRecord(entry)
  if (isRetryStage(stage) && job !== undefined) {
    return {
      stage,
      msgKey: keyOf(job),
      reason: printable(reason),
      payload: Buffer.from(stringifyNested(job)),
    }
  }
  return {
    stage: rejectedBy === undefined ? 'unreadable' : stageOf(rejectedBy, topology),
    msgKey: keyOf(entry),
    reason: rejectedBy === undefined ? 'it names no stage' : printable(`rejected from ${rejectedBy}`),
    payload: Buffer.from(stringifyNested(entry)),
  }
}

export function readUnreadable(payload: Buffer, rejectedBy: string | undefined): ParkedJob {
  const from = rejectedBy === undefined ? '' : `, rejected from ${rejectedBy}`
  return { stage: 'unreadable', msgKey: null, reason: printable(`not JSON${from}`), payload }
}

/** Identifying fields of a job, without content and phone numbers. */
export function keysOf(payload: Buffer): Record<string, string | number> {
  const shown = [
    'kind',
    'msgKey',
    'accountId',
    'step',
    'try',
    'routeId',
    'carrierId',
    'result',
    'cause',
    'code',
  ]
  const job = asRecord(parse(payload))
  return Object.fromEntries(
    shown.flatMap((name) => {
      const value = job[name]
      return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : []
    }),
  )
}

export function parse(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString()) as unknown
  } catch {
    return undefined
  }
}

export function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function keyOf(job: unknown): string | null {
  const { msgKey } = asRecord(job)
  return typeof msgKey === 'string' && isMsgKey(msgKey) ? msgKey : null
}

function stageOf(queue: string, topology: Topology): ParkedStage {
  if (Object.values(topology.accepted).some(({ name }) => name === queue)) return 'intake'
  if (queue === topology.receipts.name || queue === topology.verdicts.name) return 'settle'
  if (queue === topology.optOuts.name) return 'opt-outs'
  return queue === topology.parked.name ? 'unreadable' : 'dispatch'
}

function isRetryStage(stage: unknown): stage is RetryStage {
  return retryStages.some((known) => known === stage)
}

/** A reason may hold what another program wrote, for example in a header. PostgreSQL text cannot contain U+0000. */
function printable(reason: unknown): string | null {
  return typeof reason === 'string' ? reason.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 200) : null
}
