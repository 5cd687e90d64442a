/**
 * Long messages that clients submit in parts: a part is committed before it is answered, over any number of binds, processes and
 * restarts, and all of them become one message. A part that comes twice changes nothing; one that has the place of another begins
 * the next message with the same reference. Parts whose message never becomes complete get a receipt that says so. SQL of
 * smpp_series and smpp_parts.
 */
import type { Queryable } from '../platform/database.ts'
import { messageCipher } from '../platform/encryption/message-cipher.ts'
import { states } from './receipt.ts'
import { insertReceipts } from './stored-receipts.ts'
import { partId, writeRef } from './submit-ref.ts'
import type { SubmitRequest } from './submit-request.ts'

/** How long a message waits for its next part. */
export const partsWaitSeconds = 120
/** How long a complete one is remembered, for a part whose answer was lost and that comes again. */
const rememberedSeconds = 120

export const incompleteError = '998'
export const refusedError = '997'

export interface NewPart {
  /** Keyed hash of account, addresses, reference and number of parts. */
  readonly series: Buffer
  readonly digest: Buffer
  readonly accountId: number
  /** For a series that begins with this part. */
  readonly msgKey: string
  readonly part: number
  readonly parts: number
  readonly request: SubmitRequest
}

export interface StoredPart {
  readonly msgKey: string
  /** All parts in order when the message is complete and not accepted yet; otherwise null. */
  readonly complete: readonly SubmitRequest[] | null
}

interface Series {
  readonly msgKey: string
  readonly closed: boolean
}

export async function hasSeries(database: Queryable, series: Buffer): Promise<boolean> {
  const { rowCount } = await database.query({
    name: 'has-smpp-series',
    text: 'select from smpp_series where series = $1',
    values: [series],
  })
  return (rowCount ?? 0) > 0
}

/** In a transaction: parts of one message are stored one after the other. */
export async function storePart(transaction: Queryable, added: NewPart): Promise<StoredPart> {
  const { series, part, digest, request } = added
  let known = await lockSeries(transaction, added)
  const { rows } = await transaction.query<{ digest: Buffer }>({
    name: 'find-smpp-part',
    text: 'select digest from smpp_parts where series = $1 and part = $2',
    values: [series, part],
  })
  const [same] = rows
  if (same?.digest.equals(digest) === true)
    return known.closed
      ? { msgKey: known.msgKey, complete: null }
      : { msgKey: known.msgKey, complete: await readComplete(transaction, added, known.msgKey) }
  if (same !== undefined || known.closed) {
    if (!known.closed) await reportParts(transaction, series, incompleteError)
    await transaction.query('delete from smpp_series where series = $1', [series])
    known = await lockSeries(transaction, added)
  }
  const json = JSON.stringify(request)
  const sealed = messageCipher.sealing
    ? Buffer.from(await messageCipher.seal(known.msgKey, json), 'base64')
    : null
  await transaction.query({
    name: 'insert-smpp-part',
    text: `insert into smpp_parts (series, part, digest, content, sealed, registered) values ($1, $2, $3, $4, $5, $6)`,
    values: [series, part, digest, sealed === null ? json : null, sealed, request.registered],
  })
  return { msgKey: known.msgKey, complete: await readComplete(transaction, added, known.msgKey) }
}

async function lockSeries(
  transaction: Queryable,
  { series, accountId, msgKey, parts }: NewPart,
): Promise<Series> {
  const { rows } = await transaction.query<Series>({
    name: 'lock-smpp-series',
    text: `insert into smpp_series as s (series, account_id, msg_key, parts) values ($1, $2, $3, $4)
           on conflict (series) do update set last_at = now() returning msg_key as "msgKey", closed`,
    values: [series, accountId, msgKey, parts],
  })
  return rows[0]!
}

/** Null while parts are missing. */
async function readComplete(
  transaction: Queryable,
  { series, parts }: NewPart,
  msgKey: string,
): Promise<readonly SubmitRequest[] | null> {
  const { rows } = await transaction.query<{ content: string | null; sealed: Buffer | null }>({
    name: 'read-smpp-parts',
    text: 'select content, sealed from smpp_parts where series = $1 order by part',
    values: [series],
  })
  if (rows.length < parts) return null
  await messageCipher.loadKeys(rows.map(({ sealed }) => sealed?.toString('base64')))
  return rows.map(({ content, sealed }) => {
    const json = sealed === null ? content! : messageCipher.unseal(msgKey, sealed.toString('base64'))
    return JSON.parse(json) as SubmitRequest
  })
}

/** The message was accepted: its content is in the queue, and only what recognizes a part stays. */
export async function closeSeries(database: Queryable, series: Buffer): Promise<void> {
  await database.query({
    name: 'close-smpp-series',
    text: `with closed as (update smpp_series set closed = true, last_at = now() where series = $1)
           update smpp_parts set content = null, sealed = null where series = $1`,
    values: [series],
  })
}

/** The message was refused: parts other than `part`, which were answered before, get a receipt. */
export async function refuseSeries(transaction: Queryable, series: Buffer, part: number): Promise<void> {
  await reportParts(transaction, series, refusedError, part)
  await transaction.query('delete from smpp_series where series = $1', [series])
}

/**
 * Ends messages whose parts have not come in time, and forgets those that are complete. One that has all its parts and was not closed
 * may have been accepted before a crash: it waits until it is recorded, for an hour. Returns how many have ended.
 */
export async function endIncomplete(transaction: Queryable, waitSeconds = partsWaitSeconds): Promise<number> {
  const { rows } = await transaction.query<{ series: Buffer }>(
    `select series from smpp_series s
      where not closed and last_at < now() - $1 * interval '1 second'
        and ((select count(*) from smpp_parts p where p.series = s.series) < s.parts or ${isRecorded}
             or last_at < now() - interval '1 hour')
      order by last_at limit 100 for update skip locked`,
    [waitSeconds],
  )
  for (const { series } of rows) await reportParts(transaction, series, incompleteError)
  await transaction.query(
    `delete from smpp_series where series = any ($1) or closed and last_at < now() - $2 * interval '1 second'`,
    [rows.map(({ series }) => series), rememberedSeconds],
  )
  return rows.length
}

/** SQL: the message of a series `s` was accepted, and its report gives the receipts. */
const isRecorded = 'exists (select from messages m where m.msg_key = any (array[s.msg_key]))'

const noForm = { ton: 0, npi: 0, form: 'd' } as const

async function reportParts(transaction: Queryable, series: Buffer, error: string, except = 0): Promise<void> {
  const { rows } = await transaction.query<{
    accountId: number
    msgKey: string
    part: number
    registered: number
    lastAt: Date
  }>(
    `select s.account_id as "accountId", s.msg_key as "msgKey", p.part, p.registered, s.last_at as "lastAt"
       from smpp_parts p join smpp_series s using (series)
      where series = $1 and p.part <> $2 and p.registered in (1, 2) and not ${isRecorded} order by p.part`,
    [series, except],
  )
  const state = error === refusedError ? states.rejected : states.undeliverable
  await insertReceipts(
    transaction,
    rows.map(({ accountId, msgKey, part, registered, lastAt }) => ({
      accountId,
      messageId: partId(msgKey, part),
      // Its addresses were with the parts: a receipt has what is needed to find the message, its id.
      ref: writeRef({ registered: [registered], recipient: noForm, sender: noForm, reference: null }),
      ...{ state, error, sentAt: lastAt, doneAt: lastAt },
    })),
  )
}
