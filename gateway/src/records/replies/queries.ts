/** The replies of recipients as a feed. The only writer of replies and reply_sequences. */
import { columns, queryBulk } from '../../platform/database/bulk.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { toPages, type Feed, type FeedPage, type FeedRequest } from '../feed/feed.ts'
import { storeContent, withContents, type StoredContent } from './content.ts'
import { noAccount, type NewReply, type NumberedReply, type ReplyRow } from './reply.ts'

/**
 * Stores a reply with the next number of its account. Returns false if a reply with the same key or the same
 * carrier id is stored. Two such replies that arrive concurrently leave a number unused.
 */
export async function insertReply(database: Queryable, reply: NewReply): Promise<boolean> {
  const { content, sealed } = await storeContent(reply.replyKey, reply.content)
  const inserted = await database.query({
    name: 'insert-reply',
    text: `with next as (
             insert into reply_sequences as s (account_id, last_seq)
             select $1, 1 where not exists (select from replies where reply_key = $2 or carrier_key = $9)
             on conflict (account_id) do update set last_seq = s.last_seq + 1 returning last_seq)
           insert into replies (account_id, seq, reply_key, route_id, service_type, content, sealed, parts, missing,
                                carrier_key, choice, sent_at, from_index)
           select $1::integer, last_seq, $2, $3, $4, $5, $6, $7::smallint, $8::smallint, $9, $10, $11::timestamptz, $12
             from next
           on conflict do nothing`,
    values: [
      reply.accountId,
      reply.replyKey,
      reply.routeId,
      reply.serviceType,
      content,
      sealed,
      reply.parts,
      reply.missing,
      reply.carrierKey,
      reply.choice,
      reply.sentAt,
      reply.fromIndex,
    ],
  })
  return inserted.rowCount === 1
}

const replyColumns = `r.reply_key as "replyKey", r.service_type as "serviceType", r.content, r.sealed, r.parts,
  r.missing, r.choice, r.sent_at as "sentAt", r.created_at as "createdAt"`

/** Bytes of content after which a response ends. One reply has at most 60 kB if everything is escaped. */
export const maxReplyBytes = 4_000_000

/**
 * SQL expression: bytes of the replies before this one. PostgreSQL knows the lengths without reading the
 * contents.
 */
const bytesBefore = `sum(coalesce(octet_length(content), octet_length(sealed))) over (order by seq
  rows between unbounded preceding and 1 preceding)`

export const replyFeed: Feed<NumberedReply> = {
  name: 'reply',
  table: 'replies',
  // A reply without an account gets its number when an operator assigns it.
  numberedAt: 'coalesce(assigned_at, created_at)',
  cursorMark: '2',
  readPages: readReplyPages,
}

/** Reads pages. All pages together have about `maxBytes`; each gets an equal part, and at least one reply. */
export async function readReplyPages(
  database: Queryable,
  requests: readonly FeedRequest[],
  createdAfter: Date,
  maxBytes = maxReplyBytes,
): Promise<FeedPage<NumberedReply>[]> {
  interface Row extends Omit<NumberedReply, 'content'>, StoredContent {
    readonly request: number
    /** Number of replies that the page would have without the byte limit. */
    readonly found: number
  }
  const rows = await queryBulk<Row>(database, {
    name: 'read-replies',
    text: `select q.request, r.seq, ${replyColumns}, r.found
             from unnest($1::int[], $2::int[], $3::bigint[], $4::bigint[], $5::int[])
               as q (request, account_id, after_seq, up_to_seq, n)
            cross join lateral (
              select p.*, count(*) over ()::int as found, ${bytesBefore} as before
                from (select * from replies a
                       where a.account_id = q.account_id and a.seq > q.after_seq and a.seq <= q.up_to_seq
                         and a.created_at > $6
                       order by a.seq limit q.n) as p) as r
            where coalesce(r.before, 0) < $7 order by q.request, r.seq`,
    columns: columns(requests, ({ accountId, afterSeq, upToSeq, limit }, index) => [
      index,
      accountId,
      afterSeq,
      upToSeq,
      limit,
    ]),
    values: [createdAfter, Math.max(1, Math.floor(maxBytes / requests.length))],
  })
  const pages = toPages(await withContents(rows), requests.length)
  return pages.map((page) => ({ rows: page, isCut: page.length < (page[0]?.found ?? 0) }))
}

/** Returns the stored replies by key. */
export async function findReplies(
  database: Queryable,
  replyKeys: readonly string[],
): Promise<ReadonlyMap<string, ReplyRow>> {
  if (replyKeys.length === 0) return new Map()
  const { rows } = await database.query<Omit<NumberedReply, 'content' | 'seq'> & StoredContent>({
    name: 'find-replies',
    text: `select ${replyColumns} from replies r where reply_key = any($1)`,
    values: [replyKeys],
  })
  return new Map((await withContents(rows)).map((row) => [row.replyKey, row]))
}

/** Reads replies without an account, oldest first. */
export async function readUnassigned(
  database: Queryable,
  afterSeq: number,
  limit: number,
): Promise<(NumberedReply & { readonly routeId: string })[]> {
  const { rows } = await database.query<
    Omit<NumberedReply, 'content'> & StoredContent & { readonly routeId: string }
  >(
    `select ${replyColumns}, r.seq, r.route_id as "routeId" from replies r where account_id = $1 and seq > $2 order by seq limit $3`,
    [noAccount, afterSeq, limit],
  )
  return withContents(rows)
}

/**
 * Assigns a reply without an account to one, with its next number. The retention still counts from its
 * arrival.
 */
export async function assignReply(database: Queryable, replyKey: string, accountId: number): Promise<void> {
  await database.query(
    `with next as (
       insert into reply_sequences as s (account_id, last_seq)
       select $3, 1 where exists (select from replies where reply_key = $1 and account_id = $2)
       on conflict (account_id) do update set last_seq = s.last_seq + 1 returning last_seq)
     update replies set account_id = $3, seq = next.last_seq, assigned_at = now()
       from next where reply_key = $1 and account_id = $2`,
    [replyKey, noAccount, accountId],
  )
}

/**
 * Erases the replies from one number to the account or to none, and the parts of those that are not complete. Returns how
 * many replies.
 */
export async function eraseReplies(
  database: Queryable,
  accountId: number,
  fromIndex: Buffer,
): Promise<number> {
  await database.query('delete from reply_series where from_index = $1 and account_id in ($2, $3)', [
    fromIndex,
    accountId,
    noAccount,
  ])
  const { rowCount } = await database.query(
    'delete from replies where from_index = $1 and account_id in ($2, $3)',
    [fromIndex, accountId, noAccount],
  )
  return rowCount ?? 0
}

/** Removes up to 10,000 replies past retention, or of accounts whose texts are erased earlier. Returns how many. */
export async function removeOldReplies(
  database: Queryable,
  now: Date,
  retentionDays: number,
): Promise<number> {
  const { rowCount } = await database.query(
    `delete from replies r using (
       select p.account_id, p.seq from replies p left join accounts a on a.id = p.account_id
        where p.created_at < $1::timestamptz - least(coalesce(a.erase_after_days, $2), $2) * interval '1 day'
        limit 10000) as old
      where r.account_id = old.account_id and r.seq = old.seq`,
    [now, retentionDays],
  )
  return rowCount ?? 0
}
