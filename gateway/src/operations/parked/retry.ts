/**
 * Sends a parked job to its stage again. It is durable there before its row is removed, so that a crash
 * repeats it and never loses it.
 */
import type { GroupPublisher } from '../../platform/broker/publish.ts'
import { chooseLane, type Lane, type LaneSetting } from '../../channels/lane.ts'
import type { Topology } from '../../jobs/queues.ts'
import { readAcceptedJob } from '../../jobs/read.ts'
import { getSealed } from '../../jobs/sealed.ts'
import type { Database } from '../../platform/database/database.ts'
import { messageCipher } from '../../platform/encryption/message-cipher.ts'
import { reenqueueStep } from '../../pipeline/scheduling/outbox.ts'
import { removeParked, type StoredParkedJob } from '../../records/parked/queries.ts'
import { asRecord, parseJob } from '../../records/parked/read.ts'
import { stringifyNested } from '../../platform/json.ts'
import { findParkedStep } from './step.ts'

export interface ParkedRetryContext {
  readonly database: Database
  readonly publisher: GroupPublisher
  readonly topology: Topology
}

export type RetryResult = 'retried' | 'parked-again' | 'ended' | 'unreadable'

export async function retryParked(context: ParkedRetryContext, row: StoredParkedJob): Promise<RetryResult> {
  const { database, publisher, topology } = context
  const payload = row.payload.toString()
  let ended = false
  switch (row.stage) {
    case 'intake':
      await publisher.send(
        topology.accepted[await findAcceptedLane(database, payload)],
        withoutProcess(payload),
      )
      break
    case 'settle':
      await publisher.send(topology.receipts, payload)
      break
    case 'opt-outs':
      await publisher.send(topology.optOuts, payload)
      break
    case 'dispatch':
      ended = !(await enqueueStep(database, row))
      break
    case 'unreadable':
      return 'unreadable'
  }
  if (!(await removeParked(database, row))) return 'parked-again'
  return ended ? 'ended' : 'retried'
}

/** Returns the lane of an accepted message; `normal` if the parked job is unreadable. */
async function findAcceptedLane(database: Database, payload: string): Promise<Lane> {
  const candidate = parseJob(Buffer.from(payload))
  await messageCipher.loadKeys([getSealed(candidate)])
  const read = readAcceptedJob(candidate)
  if (!read.ok) return 'normal'
  const { rows } = await database.query<{ lane: LaneSetting | null }>(
    'select lane from accounts where id = $1',
    [read.job.accountId],
  )
  return chooseLane(read.job.steps[0]!, rows[0]?.lane ?? null)
}

/**
 * Removes the name of the API process: the message was counted when it was parked, and must not be counted
 * again when it is recorded.
 */
function withoutProcess(payload: string): string {
  const job = asRecord(parseJob(Buffer.from(payload)))
  if (!('acceptedBy' in job)) return payload
  delete job['acceptedBy']
  return stringifyNested(job)
}

/**
 * Puts the step into the outbox again; a worker releases it within a second. The claim decides whether it can
 * be submitted: a step that was begun is never submitted again blindly. Returns false if the step has ended.
 */
async function enqueueStep(database: Database, row: StoredParkedJob): Promise<boolean> {
  const step = await findParkedStep(database, row)
  if (step === null) return false
  const { key, accountId, accountLane, content } = step
  await reenqueueStep(database, { ...key, accountId, accountLane, content })
  return true
}
