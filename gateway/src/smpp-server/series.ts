/**
 * Long messages that clients submit in parts: a part is committed before it is answered, over any number of binds, processes and
 * restarts, and all of them become one message. A part that comes twice changes nothing; one that has the place of another begins
 * the next message with the same reference. Parts whose message never becomes complete get a receipt that says so. SQL of
 * smpp_series, its only writer; parts.ts has the parts, end-series.ts ends what is left.
 */
import { clock } from '../platform/clock.ts'
import type { Queryable } from '../platform/database.ts'
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

/** How long a message waits for its next part. */
export const partsWaitSeconds = 120
/**
 * How long an accepted one is remembered, for a part whose answer was lost and that comes again: about as long as clients wait for
 * an answer. Longer would take parts of the next message with the same reference for repetitions.
 */
const rememberedSeconds = 30

export interface NewPart {
  /** Keyed hash of account, addresses, reference and number of parts. */
  readonly series: Buffer
  readonly digest: Buffer
  readonly accountId: number
  /** For a message that begins with this part. */
  readonly msgKey: string
  readonly part: number
  readonly parts: number
  readonly request: SubmitRequest
}

export interface StoredPart {
  readonly msgKey: string
  /** All parts in order when the message is complete and not known to be accepted; otherwise null. */
  readonly complete: readonly SubmitRequest[] | null
}

interface Series {
  readonly msgKey: string
  readonly state: 'open' | 'complete' | 'closed'
  readonly isNew: boolean
  /** Closed, and remembered for longer than it should be. */
  readonly isOld: boolean
}

/** In a transaction: parts of one message are stored one after the other. `begin`: throws when no further message may begin. */
export async function storePart(
  transaction: Queryable,
  added: NewPart,
  begin: () => Promise<void>,
): Promise<StoredPart> {
  const { part, parts, digest, request } = added
  const held = await lockSeries(transaction, added)
  let { msgKey } = held
  if (held.isNew) await begin()
  else {
    const same = await findDigest(transaction, msgKey, part)
    if (!held.isOld && same?.equals(digest) === true) {
      if (held.state !== 'closed') return { msgKey, complete: await readComplete(transaction, msgKey, parts) }
      await markSeenAgain(transaction, msgKey, part)
      return { msgKey, complete: null }
    }
    if (same !== undefined || held.state !== 'open') {
      await begin()
      msgKey = await replaceSeries(transaction, added, held)
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
  { series, accountId, msgKey, parts }: NewPart,
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

/** The next message with the same reference begins. Returns its msgKey. */
async function replaceSeries(transaction: Queryable, added: NewPart, held: Series): Promise<string> {
  // Parts that came again were taken for repetitions; this part shows that they belong to the next message.
  const carried = held.isOld ? [] : await readParts(transaction, held.msgKey, true)
  // One that is being accepted stays until that has ended.
  if (held.state === 'complete')
    await transaction.query('update smpp_series set series = null where msg_key = $1', [held.msgKey])
  else {
    if (held.state === 'open') await reportParts(transaction, held.msgKey, incompleteError)
    await deleteSeries(transaction, held.msgKey)
  }
  const { msgKey } = await lockSeries(transaction, added)
  for (const { part, digest, request } of carried)
    if (part !== added.part) await insertPart(transaction, msgKey, part, digest, request)
  return msgKey
}

/** The message was accepted. Its parts stay for a while, to recognize those that come again. */
export async function closeSeries(database: Queryable, msgKey: string): Promise<void> {
  await database.query({
    name: 'close-smpp-series',
    text: `update smpp_series set state = 'closed', last_at = now() where msg_key = $1`,
    values: [msgKey],
  })
}

/** The message was certainly not accepted, and may be later: `part`, whose answer says so, completes it when it comes again. */
export async function reopenSeries(transaction: Queryable, msgKey: string, part: number): Promise<void> {
  const { rowCount } = await transaction.query(
    `update smpp_series set state = 'open' where msg_key = $1 and state = 'complete'`,
    [msgKey],
  )
  if (rowCount === 1) await deletePart(transaction, msgKey, part)
}

/** The message was refused: parts other than `part`, which were answered before, get a receipt. */
export async function refuseSeries(transaction: Queryable, msgKey: string, part: number): Promise<void> {
  await reportParts(transaction, msgKey, refusedError, part)
  await deleteSeries(transaction, msgKey)
}

/** Ends messages whose parts have not come in time, and forgets those that were accepted. Returns how many have ended. */
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

export interface Unclosed {
  readonly msgKey: string
  readonly accountId: number
  readonly parts: number
}

/** Complete, and not known to be accepted for as long as parts are awaited. Each comes again after as long, unless it was ended. */
export async function takeUnclosed(database: Queryable): Promise<Unclosed[]> {
  const { rows } = await database.query<Unclosed>(
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
