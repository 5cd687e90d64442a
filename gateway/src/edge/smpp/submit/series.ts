/**
 * Joins long messages that clients submit in parts. A part is committed before its response, over any number
 * of binds, processes and restarts. A repeated part changes nothing; a different part at the same position
 * begins the next message with the same reference. Parts whose message never becomes complete get a receipt
 * that states this. This module is the only writer of smpp_series.
 */
import { clock } from '../../../platform/time/clock.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import {
  deletePart,
  findDigest,
  incompleteError,
  insertPart,
  markSeenAgain,
  readComplete,
  readParts,
  refusedError,
  reportParts,
} from './parts.ts'
import type { SubmitRequest } from './submit-request.ts'

/** Maximum wait of a message for its next part. */
export const partsWaitSeconds = 120
/**
 * How long an accepted message is remembered for a part that is repeated because its response was lost. About
 * as long as clients wait for a response: a longer time would mistake parts of the next message with the same
 * reference for repetitions.
 */
const rememberedSeconds = 30

export interface NewSmppPart {
  /** Keyed hash of account, addresses, reference and number of parts. */
  readonly series: Buffer
  /** Keyed hash of the text of the part. */
  readonly digest: Buffer
  readonly accountId: number
  /** Key for a message that begins with this part. */
  readonly msgKey: string
  readonly part: number
  readonly parts: number
  readonly request: SubmitRequest
}

export interface StoredPart {
  readonly msgKey: string
  /** All parts in order if the message is complete and not known to be accepted; otherwise null. */
  readonly complete: readonly SubmitRequest[] | null
}

interface Series {
  readonly msgKey: string
  readonly state: 'open' | 'complete' | 'closed'
  readonly isNew: boolean
  /** Set if the series is closed and remembered for longer than it should be. */
  readonly isOld: boolean
}

/**
 * Stores a part in a transaction; the series row lock serialises the parts of one message. `begin` throws if
 * no further message may begin.
 */
export async function storeSmppPart(
  transaction: Queryable,
  added: NewSmppPart,
  begin: () => Promise<void>,
): Promise<StoredPart> {
  const { part, parts, digest, request } = added
  const current = await lockSeries(transaction, added)
  let { msgKey } = current
  if (current.isNew) await begin()
  else {
    const storedDigest = await findDigest(transaction, msgKey, part)
    if (!current.isOld && storedDigest?.equals(digest) === true) {
      if (current.state !== 'closed')
        return { msgKey, complete: await readComplete(transaction, msgKey, parts) }
      await markSeenAgain(transaction, msgKey, part)
      return { msgKey, complete: null }
    }
    if (storedDigest !== undefined || current.state !== 'open') {
      await begin()
      msgKey = await replaceSeries(transaction, added, current)
    }
  }
  await insertPart(transaction, msgKey, part, digest, request)
  const complete = await readComplete(transaction, msgKey, parts)
  if (complete !== null)
    await transaction.query(`update smpp_series set state = 'complete' where msg_key = $1`, [msgKey])
  return { msgKey, complete }
}

async function lockSeries(
  transaction: Queryable,
  { series, accountId, msgKey, parts }: NewSmppPart,
): Promise<Series> {
  const { rows } = await transaction.query<Series>({
    name: 'lock-smpp-series',
    text: `insert into smpp_series as s (msg_key, series, account_id, parts) values ($1, $2, $3, $4)
           on conflict (series) do update set last_at = case s.state when 'closed' then s.last_at else now() end
           returning msg_key as "msgKey", state, xmax = 0 as "isNew",
                     state = 'closed' and last_at < now() - $5 * interval '1 second' as "isOld"`,
    values: [msgKey, series, accountId, parts, rememberedSeconds],
  })
  return rows[0]!
}

/** Begins the next message with the same reference and returns its msgKey. */
async function replaceSeries(transaction: Queryable, added: NewSmppPart, current: Series): Promise<string> {
  // Parts that arrived again were taken for repetitions; this part proves that they belong to the next
  // message.
  const carried = current.isOld ? [] : await readParts(transaction, current.msgKey, true)
  // A message that is being accepted stays until that has ended.
  if (current.state === 'complete')
    await transaction.query('update smpp_series set series = null where msg_key = $1', [current.msgKey])
  else {
    if (current.state === 'open') await reportParts(transaction, current.msgKey, incompleteError)
    await deleteSeries(transaction, current.msgKey)
  }
  const { msgKey } = await lockSeries(transaction, added)
  for (const { part, digest, request } of carried)
    if (part !== added.part) await insertPart(transaction, msgKey, part, digest, request)
  return msgKey
}

/** Marks a message as accepted. Its parts stay for a while, to recognise repeated ones. */
export async function closeSeries(database: Queryable, msgKey: string): Promise<void> {
  await database.query({
    name: 'close-smpp-series',
    text: `update smpp_series set state = 'closed', last_at = now() where msg_key = $1`,
    values: [msgKey],
  })
}

/**
 * Reopens a message that was certainly not accepted but may be later. It is complete again when the client
 * repeats `part`, whose response reported the failure.
 */
export async function reopenSeries(transaction: Queryable, msgKey: string, part: number): Promise<void> {
  const { rowCount } = await transaction.query(
    `update smpp_series set state = 'open' where msg_key = $1 and state = 'complete'`,
    [msgKey],
  )
  if (rowCount === 1) await deletePart(transaction, msgKey, part)
}

/** Refuses a message: parts other than `part` (0: all), whose responses were positive, get a receipt. */
export async function refuseSeries(transaction: Queryable, msgKey: string, part: number): Promise<void> {
  await reportParts(transaction, msgKey, refusedError, part)
  await deleteSeries(transaction, msgKey)
}

/**
 * Ends messages whose parts did not arrive in time, at most 100, and deletes accepted ones that are remembered
 * long enough. Returns the number of ended messages.
 */
export async function endIncomplete(transaction: Queryable, waitSeconds = partsWaitSeconds): Promise<number> {
  const { rows } = await transaction.query<{ msgKey: string }>(
    `select msg_key as "msgKey" from smpp_series where state = 'open' and last_at < $1
      order by last_at limit 100 for update skip locked`,
    [clock.cutoff(waitSeconds * 1_000)],
  )
  for (const { msgKey } of rows) {
    await reportParts(transaction, msgKey, incompleteError)
    await deleteSeries(transaction, msgKey)
  }
  await transaction.query(`delete from smpp_series where state = 'closed' and last_at < $1`, [
    clock.cutoff(rememberedSeconds * 1_000),
  ])
  return rows.length
}

async function deleteSeries(transaction: Queryable, msgKey: string): Promise<void> {
  await transaction.query('delete from smpp_series where msg_key = $1', [msgKey])
}

export interface UnclosedSeries {
  readonly msgKey: string
  readonly accountId: number
  readonly parts: number
}

/**
 * Claims complete messages that are not known to be accepted after `partsWaitSeconds`. Each is due again
 * after the same time, unless it was ended.
 */
export async function claimUnclosedSeries(database: Queryable): Promise<UnclosedSeries[]> {
  const { rows } = await database.query<UnclosedSeries>(
    `update smpp_series s set last_at = now()
       from (select msg_key from smpp_series
              where state = 'complete' and last_at < now() - $1 * interval '1 second'
              order by last_at limit 100 for update skip locked) as due
      where s.msg_key = due.msg_key
     returning s.msg_key as "msgKey", s.account_id as "accountId", s.parts`,
    [partsWaitSeconds],
  )
  return rows
}
