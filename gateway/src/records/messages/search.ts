/**
 * Searches stored messages, newest first, in pieces that take a limited time however many messages there are.
 * A search for a reference, a recipient or a report code uses the Bloom filters that PostgreSQL keeps for
 * each range of pages (BRIN). The messages of one account are those in flight and those with reports.
 * Searches for a value or for the reports of one account go backwards in windows of time within a day: a
 * frequent value fills a page from the first window, and a rare one is found in windows that grow. Any other
 * search reads a limited number of rows by their keys.
 */
import { timeDigits, parseKeyTime } from '../../contract/msg-key.ts'
import { readContents, type SealedRow } from '../../jobs/sealed.ts'
import { inTransaction, type Database, type Queryable } from '../../platform/database/database.ts'
import { normalizeRecipient } from '../../platform/recipient.ts'
import { messageCipher } from '../../platform/encryption/message-cipher.ts'
import { toKeyDay, parseKeyDay } from '../partitions.ts'
import { searchPage, type Piece } from '../search-page.ts'

export interface MessageFilter {
  readonly accountId?: number | undefined
  readonly ref?: string | undefined
  /** Requires `accountId`. */
  readonly recipient?: string | undefined
  /** Report code of one of the steps. */
  readonly code?: string | undefined
  readonly state?: 'open' | 'closed' | undefined
  /** First key of the range; a key begins with its time. */
  readonly fromKey: string
  /** End of the range, exclusive. */
  readonly beforeKey: string
}

export const firstKey = ''
export const maxKey = '~'

const rowsPerPiece = 5_000
/** Milliseconds after which a page ends even if it is not full. */
const pageMs = 200

/**
 * Returns a page of messages before `beforeKey`, newest first. It can be short or empty and still have a
 * `next`.
 */
export async function searchMessages(
  database: Database,
  filter: MessageFilter,
  limit: number,
): Promise<Piece<FoundMessage, string>> {
  let hours = 0.5
  const { items, next } = await searchPage(
    (beforeKey, remaining) => {
      hours = Math.min(hours * 2, 24)
      return searchKeys(database, { ...filter, beforeKey }, remaining, hours)
    },
    filter.beforeKey,
    { limit, budgetMs: pageMs },
  )
  return { items: await readFoundMessages(database, items), next }
}

/** Returns keys before `beforeKey`, newest first. A search in windows reads at most this many hours. */
export function searchKeys(
  database: Database,
  filter: MessageFilter,
  limit: number,
  hours = 24,
): Promise<Piece<string, string>> {
  const { accountId, ref, recipient, code, state } = filter
  const hasFilter = ref !== undefined || recipient !== undefined || code !== undefined
  if (hasFilter || (accountId !== undefined && state === 'closed'))
    return searchNewestWindow(database, filter, limit, hours)
  if (accountId !== undefined && state === undefined) return searchAccount(database, filter, limit, hours)
  return scan(database, filter, limit)
}

/** Merges the open and the closed messages of an account, so that closed messages of other accounts are not read. */
async function searchAccount(
  database: Database,
  filter: MessageFilter,
  limit: number,
  hours: number,
): Promise<Piece<string, string>> {
  // A message that closes between the two statements is found by both, never by none.
  const open = await scan(database, { ...filter, state: 'open' }, limit)
  const fromKey = open.next ?? filter.fromKey
  const closed = await searchNewestWindow(database, { ...filter, fromKey, state: 'closed' }, limit, hours)
  const [openNext, closedNext] = [open.next ?? firstKey, closed.next ?? firstKey]
  const next = openNext > closedNext ? openNext : closedNext
  const keys = [...new Set([...open.items, ...closed.items])]
    .filter((key) => key >= next)
    .sort()
    .reverse()
  if (keys.length > limit) return { items: keys.slice(0, limit), next: keys[limit - 1]! }
  return { items: keys, next: next === firstKey ? null : next }
}

/** Compares the account and the state of the newest rows in the order of the primary key. */
async function scan(
  database: Database,
  { accountId, state, fromKey, beforeKey }: MessageFilter,
  limit: number,
): Promise<Piece<string, string>> {
  const closed =
    state === 'closed'
      ? 'and not exists (select from in_flight f where f.msg_key = any (array[s.msg_key]))'
      : ''
  const result = await database.query<{ keys: string[]; scanned: number; last: string }>(
    `with s as materialized (
       select msg_key, account_id from ${state === 'open' ? 'in_flight' : 'messages'}
        where msg_key < $1 and msg_key >= $2 order by msg_key desc limit ${rowsPerPiece})
     select array(select s.msg_key from s where ($3::int is null or s.account_id = $3) ${closed}
                   order by s.msg_key desc limit $4) as keys,
            (select count(*) from s) as scanned, (select min(msg_key) from s) as last`,
    [beforeKey, fromKey, accountId, limit],
  )
  const { keys, scanned, last } = result.rows[0]!
  if (keys.length === limit) return { items: keys, next: keys.at(-1)! }
  return { items: keys, next: scanned < rowsPerPiece ? null : last }
}

/** Searches the last hours that have messages, within one day. */
async function searchNewestWindow(
  database: Database,
  filter: MessageFilter,
  limit: number,
  hours: number,
): Promise<Piece<string, string>> {
  const { fromKey, beforeKey } = filter
  const found = await database.query<{ key: string | null }>(
    'select max(msg_key) as key from messages where msg_key < $1 and msg_key >= $2',
    [beforeKey, fromKey],
  )
  const newest = found.rows[0]!.key
  if (newest === null) return { items: [], next: null }
  const day = newest.slice(0, 8)
  const nextDay = toKeyDay(parseKeyDay(day)!, 1)
  const hoursBefore = timeDigits(new Date(parseKeyTime(newest) - hours * 3_600_000))
  const start = [fromKey, day, hoursBefore].toSorted().at(-1)!
  const keys = await searchWindow(
    database,
    { ...filter, fromKey: start, beforeKey: beforeKey < nextDay ? beforeKey : nextDay },
    limit,
  )
  if (keys.length === limit) return { items: keys, next: keys.at(-1)! }
  return { items: keys, next: start > fromKey ? start : null }
}

const reportSearchSettings = 'set local enable_seqscan = off; set local max_parallel_workers_per_gather = 0'
/**
 * Overrides the planner, which considers a filter of values without an order useless, and would read the day
 * by its key. Searches of reports are exempt: the planner knows the frequency of codes, and a frequent one is
 * found soon by the key.
 */
const messageSearchSettings = `${reportSearchSettings}; set local enable_indexscan = off`

function searchWindow(
  database: Database,
  { accountId, ref, recipient, code, state, fromKey, beforeKey }: MessageFilter,
  limit: number,
): Promise<string[]> {
  const table = ref === undefined && recipient === undefined ? 'reports' : 'messages'
  const values: unknown[] = [fromKey, beforeKey, limit]
  const placeholder = (value: unknown): string => `$${values.push(value)}`
  const conditions = ['s.msg_key >= $1', 's.msg_key < $2']
  if (ref !== undefined) conditions.push(`s.ref = ${placeholder(ref)}`)
  if (recipient !== undefined) conditions.push(recipientCondition(recipient, accountId!, placeholder))
  if (code !== undefined)
    conditions.push(
      table === 'reports'
        ? `s.report_code = ${placeholder(code)}`
        : `exists (select from reports r where r.msg_key = any (array[s.msg_key]) and r.report_code = ${placeholder(code)})`,
    )
  if (accountId !== undefined) conditions.push(`s.account_id = ${placeholder(accountId)}`)
  // A message has reports once it has closed.
  if (state !== undefined && (table === 'messages' || state === 'open'))
    conditions.push(
      `${state === 'closed' ? 'not ' : ''}exists (select from in_flight f where f.msg_key = any (array[s.msg_key]))`,
    )
  return inTransaction(database, async (transaction) => {
    await transaction.query(table === 'messages' ? messageSearchSettings : reportSearchSettings)
    const result = await transaction.query<{ key: string }>(
      `select ${table === 'reports' ? 'distinct ' : ''}s.msg_key as key from ${table} s
        where ${conditions.join(' and ')} order by s.msg_key desc limit $3`,
      values,
    )
    return result.rows.map(({ key }) => key)
  })
}

/** Builds the condition. A message of an installation without encryption has no index of its recipient. */
function recipientCondition(
  recipient: string,
  accountId: number,
  placeholder: (value: unknown) => string,
): string {
  const index = messageCipher.index?.of(recipient, accountId)
  const inPlaintext = `s.recipient = ${placeholder(normalizeRecipient(recipient))}`
  return index === undefined ? inPlaintext : `(${inPlaintext} or s.recipient_index = ${placeholder(index)})`
}

export interface FoundMessage {
  readonly msgKey: string
  readonly clientId: string | null
  readonly recipient: string
  readonly ref: string | null
  readonly acceptedAt: Date
  readonly open: boolean
  /** Channel, code and text of the last report. */
  readonly serviceType: string | null
  readonly code: string | null
  readonly codeText: string | null
}

/** Reads the messages in the order of the keys; skips those that do not exist. */
export async function readFoundMessages(
  database: Queryable,
  keys: readonly string[],
): Promise<FoundMessage[]> {
  if (keys.length === 0) return []
  const { rows } = await database.query<FoundMessage & SealedRow>(
    `select m.msg_key as "msgKey", a.client_id as "clientId", m.recipient, m.ref, m.accepted_at as "acceptedAt", m.sealed,
            f.msg_key is not null as open, r.service_type as "serviceType", r.report_code as code, r.report_text as "codeText"
       from unnest($1::text[]) with ordinality as k (msg_key, nth)
       join messages m on m.msg_key = any (array[k.msg_key collate "C"])
       left join in_flight f on f.msg_key = any (array[m.msg_key])
       left join accounts a on a.id = m.account_id
       left join lateral (select service_type, report_code, report_text from reports r
                           where r.msg_key = any (array[m.msg_key]) order by r.step desc limit 1) r on true
      order by k.nth`,
    [keys],
  )
  const contents = await readContents(rows)
  return rows.map((row) => ({ ...row, recipient: contents.get(row.msgKey)?.to ?? row.recipient }))
}

/**
 * Finds all messages of an account to one number, however it is written. Encrypted messages are found while
 * `messageCipher` is open.
 */
export async function findByRecipient(
  database: Database,
  accountId: number,
  recipient: string,
): Promise<Pick<FoundMessage, 'msgKey' | 'acceptedAt' | 'open'>[]> {
  const { items } = await searchPage(
    (beforeKey, limit) =>
      searchKeys(
        database,
        { accountId, recipient, fromKey: firstKey, beforeKey },
        Math.min(limit, rowsPerPiece),
      ),
    maxKey,
    { limit: Infinity, budgetMs: Infinity },
  )
  const { rows } = await database.query<Pick<FoundMessage, 'msgKey' | 'acceptedAt' | 'open'>>(
    `select m.msg_key as "msgKey", m.accepted_at as "acceptedAt", f.msg_key is not null as open
       from unnest($1::text[]) with ordinality as k (msg_key, nth)
       join messages m on m.msg_key = any (array[k.msg_key collate "C"])
       left join in_flight f on f.msg_key = any (array[m.msg_key])
      order by k.nth`,
    [items],
  )
  return rows
}
