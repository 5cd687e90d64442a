/**
 * Sends a parked job to its stage again. It is durable there before its row is removed, so that a crash repeats it and
 * never loses it.
 */
import type { GroupPublisher } from '../platform/broker/publish.ts'
import { laneOf, type Lane, type UsualLane } from '../channels/lane.ts'
import type { Topology } from '../jobs/queues.ts'
import { readAcceptedJob } from '../jobs/read.ts'
import { sealedOf } from '../jobs/sealed.ts'
import type { Database } from '../platform/database.ts'
import { messageCipher } from '../platform/encryption/message-cipher.ts'
import { oweAgain } from '../pipeline/scheduling/outbox.ts'
import { removeParked, type ParkedRow } from '../records/parked/queries.ts'
import { asRecord, parse } from '../records/parked/read.ts'
import { stringifyNested } from '../platform/json.ts'
import { findStep } from './step.ts'

export interface RetryContext {
  readonly database: Database
  readonly publisher: GroupPublisher
  readonly topology: Topology
}

export type RetryResult = 'retried' | 'parked-again' | 'ended' | 'unreadable'

export async function retryParked(context: RetryContext, row: ParkedRow): Promise<RetryResult> {
  const { database, publisher, topology } = context
  const payload = row.payload.toString()
  let ended = false
  switch (row.stage) {
    case 'intake':
      await publisher.send(
        topology.accepted[await laneOfAccepted(database, payload)],
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
      ended = !(await owe(database, row))
      break
    case 'unreadable':
      return 'unreadable'
  }
  if (!(await removeParked(database, row))) return 'parked-again'
  return ended ? 'ended' : 'retried'
}

/** A job that was parked may be unreadable. */
async function laneOfAccepted(database: Database, payload: string): Promise<Lane> {
  const candidate = parse(Buffer.from(payload))
  await messageCipher.loadKeys([sealedOf(candidate)])
  const read = readAcceptedJob(candidate)
  if (!read.ok) return 'normal'
  const { rows } = await database.query<{ lane: UsualLane | null }>(
    'select lane from accounts where id = $1',
    [read.job.accountId],
  )
  return laneOf(read.job.steps[0]!, rows[0]?.lane ?? null)
}

/** It was counted when it was parked: without the name of its API process it is not counted again when it is recorded. */
function withoutProcess(payload: string): string {
  const job = asRecord(parse(Buffer.from(payload)))
  if (!('acceptedBy' in job)) return payload
  delete job['acceptedBy']
  return stringifyNested(job)
}

/**
 * Puts the step into the outbox again; a worker releases it within a second. The claim decides whether it may be
 * submitted: a step that was begun is never submitted again blindly. False when it has ended.
 */
async function owe(database: Database, row: ParkedRow): Promise<boolean> {
  const step = await findStep(database, row)
  if (step === null) return false
  const { key, accountId, accountLane, content } = step
  await oweAgain(database, { ...key, accountId, accountLane, content })
  return true
}
