/** Reads and stores POST /v1/batch. A repeated request finds the batch that the first one created. */
import type { Static } from 'typebox'
import { requireValid } from '../../channels/issues.ts'
import { createMsgKey } from '../../contract/msg-key.ts'
import { invalidField, Problem } from '../../contract/problem.ts'
import { parseTimeParameter } from '../../contract/query-parameters.ts'
import type { FieldCodes } from '../../contract/result-codes.ts'
import { inTransaction, type Queryable } from '../../platform/database/database.ts'
import { clock } from '../../platform/time/clock.ts'
import { packContent, type BatchContent } from '../../records/batches/lines.ts'
import { countBatchBytes, countPageBytes } from '../../records/batches/stored-bytes.ts'
import {
  findByIdempotencyKey,
  insertBatch,
  insertPart,
  lockBatches,
  maxUnendedBatches,
  type CreatedBatch,
} from '../../records/batches/uploads.ts'
import { planOmni } from '../accept/omni.ts'
import { normalizeSdkBody } from '../accept/sdk-compat.ts'
import { createShape } from '../accept/shape.ts'
import type { BatchContext } from './batch-context.ts'
import { BatchBody, maxDaysAhead } from './responses.ts'
import { requireBatch, requestStart, requireQuota } from './actions.ts'
import { areShortStrings, maxWordsLength, packUpload } from './upload.ts'

const fieldCodes: FieldCodes = {
  messageForm: 'A250',
  paymentCode: 'A310',
  ref: 'A305',
  'recipients.to': 'A306',
  'recipients.ref': 'A305',
}
const shape = createShape(BatchBody, fieldCodes)

export interface BatchRequest {
  readonly accountId: number
  readonly idempotencyKey: string
  /** Digest of the body. */
  readonly digest: Buffer
  readonly body: unknown
}

/** Returns the key of the batch. */
export async function createBatch(context: BatchContext, request: BatchRequest): Promise<string> {
  const { database } = context
  const { accountId, idempotencyKey, digest } = request
  const existing = await findByIdempotencyKey(database, accountId, idempotencyKey)
  if (existing !== null) return requireSame(existing, digest)
  const body = requireValid((issues) =>
    shape.check(normalizeSdkBody('omni', request.body), '', issues),
  ) as Static<typeof BatchBody>
  const recipients = body.recipients ?? []
  for (const [index, { replaceWords }] of recipients.entries())
    if (replaceWords !== undefined && !areShortStrings(replaceWords))
      throw invalidField(
        'A300',
        `recipients[${index}].replaceWords`,
        `must be an object whose values are strings, with at most ${maxWordsLength} characters in all`,
      )
  if (body.start === true && recipients.length === 0)
    throw invalidField('A300', 'start', 'requires recipients; otherwise upload them and start the batch then')
  const times = readTimes(body)
  const content = await readContent(context, accountId, body)
  // The time in the key, as in that of a scheduled message, determines how long the data key is kept.
  const batchKey = createMsgKey(context.cell, times.startAt ?? clock.date())
  const stored = await packContent(batchKey, content)
  const options = {
    batchKey,
    part: 1,
    accountId,
    index: await context.openBlindIndex(),
    maxLines: context.maxLines,
  }
  const packed = recipients.length === 0 ? null : await packUpload(recipients, options)

  async function insert(transaction: Queryable): Promise<string> {
    await lockBatches(transaction, accountId)
    const other = await findByIdempotencyKey(transaction, accountId, idempotencyKey)
    if (other !== null) return requireSame(other, digest)
    const bytes = countBatchBytes(stored) + countPageBytes(packed?.pages ?? [])
    await requireQuota(transaction, accountId, bytes)
    const id = await insertBatch(transaction, {
      ...stored,
      ...times,
      batchKey,
      accountId,
      idempotencyKey,
      fingerprint: digest,
      ref: body.ref ?? null,
      hoursFrom: body.hours?.from ?? null,
      hoursTo: body.hours?.to ?? null,
      speed: body.speed ?? null,
      dropDuplicates: body.duplicates !== 'keep',
    })
    if (id === null)
      throw new Problem(
        'A352',
        `Batch limit reached: at most ${maxUnendedBatches} batches that have not ended; cancel one, or wait`,
      )
    if (packed !== null) await insertPart(transaction, id, 1, { ...packed, digest })
    if (body.start === true) {
      const batch = await requireBatch(transaction, { accountId, batchKey })
      await requestStart(context, transaction, accountId, batch)
    }
    return batchKey
  }
  return inTransaction(database, insert)
}

function requireSame({ batchKey, fingerprint }: CreatedBatch, digest: Buffer): string {
  if (fingerprint.equals(digest)) return batchKey
  throw new Problem('A021', 'Idempotency-Key used before for another body: use a new key for each new batch')
}

type Body = Static<typeof BatchBody>

function readTimes({ startAt, endBy, hours }: Body): { startAt: Date | null; endBy: Date | null } {
  const now = clock.now()
  const start = startAt === undefined ? null : parseTimeParameter(startAt, 'startAt')
  const end = endBy === undefined ? null : parseTimeParameter(endBy, 'endBy')
  if (start !== null && start.getTime() > now + maxDaysAhead * 86_400_000)
    throw invalidField('A300', 'startAt', `must be at most ${maxDaysAhead} days ahead`)
  if (end !== null && end.getTime() <= Math.max(now, start?.getTime() ?? 0))
    throw invalidField('A300', 'endBy', 'must be in the future and after startAt')
  if (hours !== undefined && hours.from >= hours.to)
    throw invalidField('A300', 'hours.to', 'must be after hours.from')
  return { startAt: start === null || start.getTime() <= now ? null : start, endBy: end }
}

/** Replaces a form by its flow, and checks the flow as a send does before it reads its destinations. */
async function readContent(
  { forms }: Pick<BatchContext, 'forms'>,
  accountId: number,
  { messageFlow, messageForm, paymentCode, ref }: Body,
): Promise<BatchContent> {
  if ((messageFlow === undefined) === (messageForm === undefined))
    throw invalidField('A300', 'messageFlow', 'exactly one of messageFlow and messageForm is required')
  const form = messageForm === undefined ? undefined : (await forms.find(accountId, messageForm)).flow
  requireValid((issues) => {
    const request = {
      destinations: [],
      ...(messageFlow !== undefined && { messageFlow }),
      ...(paymentCode !== undefined && { paymentCode }),
      ...(ref !== undefined && { ref }),
    }
    return planOmni(request, form, undefined, issues)
  })
  return {
    messageFlow: messageFlow ?? (form as BatchContent['messageFlow']),
    ...(paymentCode !== undefined && { paymentCode }),
  }
}
