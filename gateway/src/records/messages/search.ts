/**
 * Searches stored messages, newest first, in bounded pieces: a piece reads a bounded number of messages in the order of their keys, and
 * the next one goes on where it ended, so that a search costs the same with a thousand messages and with ten million. `search-days.ts`
 * uses filters for a ref, a recipient and a code. Closed messages of one account have an index. Called by the admin API.
 */
import { readContents, type SealedRow } from '../../jobs/sealed.ts'
import { inTransaction, type Database, type Queryable } from '../../platform/database.ts'
import { normalizeRecipient } from '../../platform/encryption/blind-index.ts'
import { messageCipher } from '../../platform/encryption/message-cipher.ts'

export interface MessageFilter {
  readonly accountId?: number | undefined
  readonly ref?: string | undefined
  /** Of an account, which must be given. */
  readonly recipient?: string | undefined
  /** A report code of one of its steps. */
  readonly code?: string | undefined
  readonly state?: 'open' | 'closed' | undefined
  /** Keys from this one on; a key begins with its time. */
  readonly fromKey: string
  /** Keys before this one. */
  readonly beforeKey: string
}

export interface FoundRow {
  readonly msgKey: string
  readonly clientId: string | null
  readonly recipient: string
  readonly ref: string | null
  readonly acceptedAt: Date
  readonly open: boolean
  /** Of its last report. */
  readonly code: string | null
  readonly codeText: string | null
}

export interface Piece {
  readonly keys: readonly string[]
  /** Where the next piece begins; null when nothing is left. */
  readonly next: string | null
}

/** Keys of one piece: 5,000 rows are read in about 10 ms when they are in memory. */
const rowsPerPiece = 5_000

/** One piece of the search, from `filter.beforeKey` down. At most `limit` keys; then the piece ends with the last of them. */
export function searchPiece(database: Database, filter: MessageFilter, limit: number): Promise<Piece> {
  if (filter.state === 'open') return scan(database, 'in_flight', filter, limit)
  return scan(database, 'messages', filter, limit)
}

/** Rows are read by the primary key alone, whatever else is compared. */
async function scan(
  database: Database,
  table: 'messages' | 'in_flight',
  filter: MessageFilter,
  limit: number,
): Promise<Piece> {
  const values: unknown[] = [filter.beforeKey, filter.fromKey, rowsPerPiece, limit]
  const place = (value: unknown): string => `$${values.push(value)}`
  const conditions = [
    ...(filter.accountId === undefined ? [] : [`s.account_id = ${place(filter.accountId)}`]),
    ...(filter.ref === undefined ? [] : [`s.ref = ${place(filter.ref)}`]),
    ...recipientCondition(filter, place),
    ...(filter.code === undefined
      ? []
      : [
          `exists (select from reports r where r.msg_key = any (array[s.msg_key]) and r.report_code = ${place(filter.code)})`,
        ]),
    ...(filter.state === 'closed'
      ? ['not exists (select from in_flight f where f.msg_key = any (array[s.msg_key]))']
      : []),
  ]
  const recipientColumns = table === 'messages' ? ', recipient, recipient_index' : ', recipient_index'
  const result = await database.query<{ keys: string[]; scanned: number } & KeyRange>(
    `with s as materialized (
       select msg_key, account_id, ref${recipientColumns} from ${table}
        where msg_key < $1 and msg_key >= $2 order by msg_key desc limit $3)
     select array(select s.msg_key from s where ${conditions.length === 0 ? 'true' : conditions.join(' and ')}
                   order by s.msg_key desc limit $4) as keys,
            (select count(*) from s) as scanned, (select max(msg_key) from s) as first, (select min(msg_key) from s) as last`,
    values,
  )
  const { keys, scanned, ...range } = result.rows[0]!
  if (keys.length === limit) return { keys, next: keys.at(-1)! }
  return scanned < rowsPerPiece ? { keys, next: null } : endPiece(keys, range)
}

/** The newest and the oldest key that a piece has read, of whichever account. */
interface KeyRange {
  readonly first: string
  readonly last: string
}

/** A key begins with its time to the millisecond. */
const timeLength = 17

/**
 * Ends a piece before the last millisecond that it has read a part of, and leaves that to the next piece: where it goes on is answered to the
 * caller, who must not learn the key of a message of another account from it. Of a piece within one millisecond, such as of messages that are
 * scheduled for the same time, as many characters more as the keys have in common. The first key is always beyond the end, so that
 * a search comes to its end.
 */
export function endPiece(keys: readonly string[], { first, last }: KeyRange): Piece {
  const length = Math.max(timeLength, commonLength(first, last) + 1)
  // After every key that begins so.
  const next = `${last.slice(0, length)}~`
  return { keys: keys.filter((key) => key > next), next }
}

function commonLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length += 1
  return length
}

function recipientCondition(
  { accountId, recipient, state }: MessageFilter,
  place: (value: unknown) => string,
): string[] {
  if (recipient === undefined || accountId === undefined) return []
  const index = messageCipher.index?.of(recipient, accountId) ?? null
  const byIndex = `s.recipient_index = ${place(index)}`
  // An open message of an installation without encryption has no index: its row in `messages` decides.
  return state === 'open'
    ? [
        `(${byIndex} or exists (select from messages m where m.msg_key = any (array[s.msg_key]) and m.recipient = ${place(normalizeRecipient(recipient))}))`,
      ]
    : [`(s.recipient = ${place(normalizeRecipient(recipient))} or ${byIndex})`]
}

/** The messages with the keys, in their order; those that are gone meanwhile are left out. */
export async function readFound(database: Database, keys: readonly string[]): Promise<FoundRow[]> {
  if (keys.length === 0) return []
  return inTransaction(database, async (transaction) => {
    await transaction.query('set transaction isolation level repeatable read, read only')
    return readRows(transaction, keys)
  })
}

async function readRows(transaction: Queryable, keys: readonly string[]): Promise<FoundRow[]> {
  const result = await transaction.query<FoundRow & SealedRow>(
    `select m.msg_key as "msgKey", a.client_id as "clientId", m.recipient, m.ref, m.accepted_at as "acceptedAt", m.sealed,
            f.msg_key is not null as open, r.report_code as code, r.report_text as "codeText"
       from unnest($1::text[]) with ordinality as k (msg_key, nth)
       join messages m on m.msg_key = any (array[k.msg_key collate "C"])
       left join in_flight f on f.msg_key = any (array[m.msg_key])
       left join accounts a on a.id = m.account_id
       left join lateral (select report_code, report_text from reports r
                           where r.msg_key = any (array[m.msg_key]) order by r.step desc limit 1) r on true
      order by k.nth`,
    [keys],
  )
  const contents = await readContents(result.rows)
  return result.rows.map(({ msgKey, clientId, recipient, ref, acceptedAt, open, code, codeText }) => ({
    ...{ msgKey, clientId, ref, acceptedAt, open, code, codeText },
    recipient: contents.get(msgKey)?.to ?? recipient,
  }))
}

export interface AccountPiece {
  readonly keys: readonly string[]
  readonly nextSeq: number | null
}

/** Closed messages of an account, the last reported first, by the index of its reports. */
export async function searchReports(
  database: Queryable,
  filter: MessageFilter & { readonly accountId: number },
  beforeSeq: number | null,
  limit: number,
): Promise<AccountPiece> {
  const values: unknown[] = [filter.accountId, beforeSeq ?? Number.MAX_SAFE_INTEGER, rowsPerPiece, limit]
  const place = (value: unknown): string => `$${values.push(value)}`
  const conditions = [
    `s.msg_key < ${place(filter.beforeKey)}`,
    `s.msg_key >= ${place(filter.fromKey)}`,
    ...(filter.ref === undefined ? [] : [`s.ref = ${place(filter.ref)}`]),
    ...(filter.code === undefined ? [] : [`s.report_code = ${place(filter.code)}`]),
  ]
  const result = await database.query<{
    found: { key: string; seq: number }[]
    scanned: number
    last: number | null
  }>(
    `with s as materialized (
       select msg_key, ref, report_code, seq from reports
        where account_id = $1 and seq < $2 order by seq desc limit $3)
     select coalesce((select json_agg(json_build_object('key', msg_key, 'seq', seq))
                        from (select msg_key, seq from s where ${conditions.join(' and ')} order by seq desc limit $4) f), '[]') as found,
            (select count(*) from s) as scanned, (select min(seq) from s) as last`,
    values,
  )
  const { found, scanned, last } = result.rows[0]!
  // A message with several steps has several reports.
  const keys = [...new Set(found.map(({ key }) => key))]
  if (found.length === limit) return { keys, nextSeq: found.at(-1)!.seq }
  return { keys, nextSeq: scanned < rowsPerPiece ? null : last }
}
