/**
 * Searches messages by reference, recipient or report code, day by day and newest first, with the Bloom filters that PostgreSQL keeps for
 * each range of pages (BRIN, docs/adr/0043).
 */
import { inTransaction, type Database, type Queryable } from '../../platform/database.ts'
import { normalizeRecipient } from '../../platform/encryption/blind-index.ts'
import { messageCipher } from '../../platform/encryption/message-cipher.ts'
import type { MessageFilter, Piece } from './search.ts'

/** The keys of one day that are searched. */
interface Day {
  readonly from: string
  readonly before: string
}

const dayMs = 86_400_000

/** Whether a filter serves the search, so that it should go by days. */
export function isServed({ ref, recipient, code }: MessageFilter): boolean {
  return ref !== undefined || recipient !== undefined || code !== undefined
}

/** The newest day of the filter that has messages, or what is left of it. At most `limit` keys. */
export async function searchNewestDay(
  database: Database,
  filter: MessageFilter,
  limit: number,
): Promise<Piece> {
  const newest = await findNewestKey(database, filter)
  if (newest === null) return { keys: [], next: null }
  const start = newest.slice(0, 8)
  const day: Day = {
    from: filter.fromKey > start ? filter.fromKey : start,
    // The key after the newest one: nothing else of the day is left out.
    before: filter.beforeKey < dayAfter(start) ? filter.beforeKey : dayAfter(start),
  }
  const keys = await findKeys(database, { ...filter, fromKey: day.from, beforeKey: day.before }, limit)
  return { keys, next: keys.length === limit ? keys.at(-1)! : olderThan(filter, day) }
}

function olderThan({ fromKey }: MessageFilter, { from }: Day): string | null {
  return from > fromKey ? from : null
}

/** One index probe for each day. */
async function findNewestKey(
  database: Queryable,
  { fromKey, beforeKey }: MessageFilter,
): Promise<string | null> {
  const result = await database.query<{ key: string | null }>(
    'select max(msg_key) as key from messages where msg_key < $1 and msg_key >= $2',
    [beforeKey, fromKey],
  )
  return result.rows[0]!.key
}

/** `20261116` → `20261117`. */
function dayAfter(day: string): string {
  const at = Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6, 8)}T00:00:00Z`)
  return new Date(at + dayMs).toISOString().slice(0, 10).replaceAll('-', '')
}

/**
 * The planner takes a filter of values that are in no order for useless, and would read the day by its key. Of a code it knows how common
 * it is: one that many messages have is found soon by the key.
 */
const byFilters = 'set local enable_seqscan = off; set local enable_indexscan = off'
const byValue = 'set local enable_seqscan = off'

async function findKeys(database: Database, filter: MessageFilter, limit: number): Promise<string[]> {
  const { accountId, ref, recipient, code, state } = filter
  const table = ref === undefined && recipient === undefined ? 'reports' : 'messages'
  const values: unknown[] = [filter.fromKey, filter.beforeKey, limit]
  const place = (value: unknown): string => `$${values.push(value)}`
  const conditions = [
    ...['s.msg_key >= $1', 's.msg_key < $2'],
    ...(ref === undefined ? [] : [`s.ref = ${place(ref)}`]),
    ...(recipient === undefined ? [] : [recipientCondition(recipient, accountId!, place)]),
    ...(code === undefined
      ? []
      : table === 'reports'
        ? [`s.report_code = ${place(code)}`]
        : [
            `exists (select from reports r where r.msg_key = any (array[s.msg_key]) and r.report_code = ${place(code)})`,
          ]),
    ...(accountId === undefined ? [] : [`s.account_id = ${place(accountId)}`]),
    ...(state === undefined
      ? []
      : [
          `${state === 'closed' ? 'not ' : ''}exists (select from in_flight f where f.msg_key = any (array[s.msg_key]))`,
        ]),
  ]
  return inTransaction(database, async (transaction) => {
    await transaction.query(table === 'messages' ? byFilters : byValue)
    const result = await transaction.query<{ key: string }>(
      `select ${table === 'reports' ? 'distinct ' : ''}s.msg_key as key from ${table} s
        where ${conditions.join(' and ')} order by s.msg_key desc limit $3`,
      values,
    )
    return result.rows.map(({ key }) => key)
  })
}

/** Of an installation without encryption a message has no index of its recipient. */
function recipientCondition(recipient: string, accountId: number, place: (value: unknown) => string): string {
  const index = messageCipher.index?.of(recipient, accountId)
  const inClear = `s.recipient = ${place(normalizeRecipient(recipient))}`
  return index === undefined ? inClear : `(${inClear} or s.recipient_index = ${place(index)})`
}
