/**
 * Records accepted messages in bulk: the message, its in-flight row, its waiting row and the ledger entry commit
 * together. An existing key is not changed, so a redelivered job has no effect.
 *
 * Most batches contain only new keys, and an insert without conflict handling is cheaper, so it is tried first.
 */
import type { Step } from '../../channels/channel.ts'
import { appendToLedger, countByDay } from '../ledger/queries.ts'
import { columns, queryBulk } from '../../platform/database/bulk.ts'
import {
  inTransaction,
  isDuplicateKey,
  sendWithCommit,
  type Database,
  type Queryable,
} from '../../platform/database/database.ts'
import { messageCipher } from '../../platform/encryption/message-cipher.ts'
import type { AcceptedJob } from '../../jobs/jobs.ts'
import { getStepSender, senderUses } from '../../trust/senders/used-senders.ts'
import type { HeldStep } from '../waiting/waiting-step.ts'
import { holdSteps } from '../waiting/write-waiting.ts'
import { getStepMsgType } from './step-type.ts'

export interface RecordedMessages {
  /** Keys that were new. */
  readonly fresh: ReadonlySet<string>
  /**
   * Keys recorded before whose first step is possibly not released yet: no route has claimed it, and it does not
   * wait.
   */
  readonly unclaimed: ReadonlySet<string>
}

export function recordMessages(
  database: Database,
  received: readonly AcceptedJob[],
  dueAt: (job: AcceptedJob) => Date,
  held: ReadonlyMap<string, HeldStep> = new Map(),
): Promise<RecordedMessages> {
  const batch = separate(received)
  const record = (known: 'none' | 'some'): Promise<RecordedMessages> =>
    inTransaction(database, (transaction) => recordIn(transaction, batch, known, dueAt, held))
  return record('none').catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error
    return record('some')
  })
}

interface SeparatedJobs {
  /** One job per key. */
  readonly jobs: readonly AcceptedJob[]
  /** Further jobs of the same key that were accepted separately, see `acceptedAgain`. */
  readonly copies: readonly AcceptedJob[]
}

/** Sorts the jobs: a job and its redelivery can be in two concurrent batches, which must not deadlock. */
function separate(received: readonly AcceptedJob[]): SeparatedJobs {
  const jobs = new Map<string, AcceptedJob>()
  const copies = new Map<string, AcceptedJob>()
  for (const job of received) {
    const first = jobs.get(job.msgKey)
    if (first === undefined) jobs.set(job.msgKey, job)
    else if (first.acceptedAt !== job.acceptedAt || first.acceptedBy !== job.acceptedBy)
      copies.set(`${job.msgKey}/${job.acceptedAt}/${job.acceptedBy ?? ''}`, job)
  }
  const sorted = [...jobs.values()].sort((left, right) => (left.msgKey < right.msgKey ? -1 : 1))
  return { jobs: sorted, copies: [...copies.values()] }
}

/**
 * Records messages of a batch with new keys and holds their first steps, in the transaction that moves the
 * position of the batch.
 */
export async function recordBatchMessages(
  transaction: Queryable,
  batchId: number,
  jobs: readonly AcceptedJob[],
  held: readonly HeldStep[],
  dueAt: (job: AcceptedJob) => Date,
): Promise<void> {
  await insertNew(transaction, jobs)
  await insertInFlight(transaction, jobs, dueAt, batchId)
  await holdSteps(transaction, held)
  await appendToLedger(transaction, 'accepted', countByDay(jobs))
}

async function recordIn(
  transaction: Queryable,
  { jobs, copies }: SeparatedJobs,
  known: 'none' | 'some',
  dueAt: (job: AcceptedJob) => Date,
  held: ReadonlyMap<string, HeldStep>,
): Promise<RecordedMessages> {
  const isNew = known === 'none'
  const inserting = isNew ? insertNew(transaction, jobs) : undefined
  const fresh = isNew ? new Set(jobs.map((job) => job.msgKey)) : await insertMissing(transaction, jobs)
  const recorded = jobs.filter((job) => fresh.has(job.msgKey))
  const waiting = recorded.flatMap((job) => held.get(job.msgKey) ?? [])
  await sendWithCommit(
    transaction,
    ...(inserting === undefined ? [] : [inserting]),
    insertInFlight(transaction, recorded, dueAt),
    holdSteps(transaction, waiting),
    appendToLedger(transaction, 'accepted', countByDay(recorded)),
  )
  const repeated = jobs.filter((job) => !fresh.has(job.msgKey))
  const received = [
    ...copies.filter((job) => job.acceptedBy !== undefined && fresh.has(job.msgKey)),
    ...(await acceptedAgain(transaction, [...repeated, ...copies.filter((job) => !fresh.has(job.msgKey))])),
  ]
  if (received.length > 0) await appendToLedger(transaction, 'received', countByDay(received))
  if (repeated.length === 0) return { fresh, unclaimed: new Set() }
  return {
    fresh,
    unclaimed: await findUnclaimed(
      transaction,
      repeated.map((job) => job.msgKey),
    ),
  }
}

/**
 * Returns the jobs that a client sent again under the same Idempotency-Key because the first response was
 * lost: another confirm was counted for them. A redelivery has the time of the recorded message.
 */
async function acceptedAgain(
  transaction: Queryable,
  repeated: readonly AcceptedJob[],
): Promise<AcceptedJob[]> {
  if (repeated.length === 0) return []
  const found = await transaction.query<{ msg_key: string; accepted_at: Date }>(
    'select msg_key, accepted_at from messages where msg_key = any($1)',
    [repeated.map((job) => job.msgKey)],
  )
  const recordedAt = new Map(found.rows.map((row) => [row.msg_key, row.accepted_at.getTime()]))
  return repeated.filter(
    ({ msgKey, acceptedBy, acceptedAt }) => acceptedBy !== undefined && recordedAt.get(msgKey) !== acceptedAt,
  )
}

const insertMessages = `insert into messages (msg_key, account_id, recipient, flow, ref, accepted_at, payment_code, sealed, recipient_index)
  select msg_key, account_id, recipient, flow, ref, accepted_at, payment_code, decode(sealed, 'base64'), decode(recipient_index, 'hex')
    from unnest($1::text[], $2::int[], $3::text[], $4::json[], $5::text[], $6::timestamptz[], $7::text[], $8::text[], $9::text[])
      as m (msg_key, account_id, recipient, flow, ref, accepted_at, payment_code, sealed, recipient_index)`

async function insertNew(transaction: Queryable, jobs: readonly AcceptedJob[]): Promise<void> {
  await queryBulk(transaction, {
    name: 'insert-new-messages',
    text: insertMessages,
    columns: columns(jobs, toMessage),
  })
}

async function insertMissing(transaction: Queryable, jobs: readonly AcceptedJob[]): Promise<Set<string>> {
  const inserted = await queryBulk<{ msg_key: string }>(transaction, {
    name: 'insert-messages',
    text: `${insertMessages} on conflict (msg_key) do nothing returning msg_key`,
    columns: columns(jobs, toMessage),
  })
  return new Set(inserted.map((row) => row.msg_key))
}

/** Builds the row. An encrypted message keeps its channels in plaintext, for its timeline. */
function toMessage(job: AcceptedJob): unknown[] {
  const isSealed = job.sealed !== undefined
  return [
    job.msgKey,
    job.accountId,
    isSealed ? '' : job.to,
    JSON.stringify(isSealed ? job.steps.map(({ channel }) => ({ channel })) : job.steps),
    job.ref,
    new Date(job.acceptedAt),
    job.paymentCode,
    job.sealed,
    isSealed ? recipientIndex(job) : null,
  ]
}

function recipientIndex({ to, accountId }: AcceptedJob): string | undefined {
  return messageCipher.index?.of(to, accountId).toString('hex')
}

/**
 * Inserts the in-flight rows. They hold the recipient's index and the senders for the traffic record, because
 * the content can be erased before the message closes.
 */
async function insertInFlight(
  transaction: Queryable,
  jobs: readonly AcceptedJob[],
  dueAt: (job: AcceptedJob) => Date,
  batchId: number | null = null,
): Promise<void> {
  const { writesTraffic } = messageCipher
  await queryBulk(transaction, {
    name: 'insert-in-flight',
    text: `insert into in_flight (msg_key, account_id, channel, msg_type, step, steps, try, state, due_at, ref, payment_code,
                                  recipient_index, senders, batch_id)
           select msg_key, account_id, channel, msg_type, 1, steps, 1, 'unclaimed', due_at, ref, payment_code,
                  decode(recipient_index, 'hex'), senders, $11::bigint
             from unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::smallint[], $6::timestamptz[], $7::text[],
                         $8::text[], $9::text[], $10::json[])
               as m (msg_key, account_id, channel, msg_type, steps, due_at, ref, payment_code, recipient_index, senders)`,
    columns: columns(jobs, (job) => {
      const first = job.steps[0]!
      return [
        job.msgKey,
        job.accountId,
        first.channel,
        getStepMsgType(first),
        job.steps.length,
        dueAt(job),
        job.ref,
        job.paymentCode,
        writesTraffic ? recipientIndex(job) : null,
        writesTraffic ? JSON.stringify(job.steps.map(toSender)) : null,
      ]
    }),
    values: [batchId],
  })
}

function toSender(step: Step): string | null {
  return getStepSender(step, senderUses[step.channel][0].field) ?? null
}

async function findUnclaimed(transaction: Queryable, keys: readonly string[]): Promise<Set<string>> {
  const result = await transaction.query<{ msg_key: string }>(
    `select msg_key from in_flight f where msg_key = any($1) and step = 1 and try = 1 and state = 'unclaimed'
        and not exists (select from waiting w where w.msg_key = any (array[f.msg_key]))`,
    [keys],
  )
  return new Set(result.rows.map((row) => row.msg_key))
}
