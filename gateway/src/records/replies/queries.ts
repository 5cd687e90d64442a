/** SQL of replies and reply_sequences; their only writer. The numbers of an account become visible in order. */
import { columns, queryBulk } from '../../platform/bulk.ts'
import type { Queryable } from '../../platform/database.ts'
import { storeContent, withContents, type StoredContent } from './content.ts'
import { noAccount, type NewReply, type NumberedReply, type ReplyRow } from './reply.ts'

/**
 * One statement, with the next number of its account. False when it is stored already: the same key, or the same id of the
 * carrier. Two that come in the same moment leave a number unused.
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
      ...[reply.accountId, reply.replyKey, reply.routeId, reply.serviceType, content, sealed],
      ...[reply.parts, reply.missing, reply.carrierKey, reply.choice, reply.sentAt, reply.fromIndex],
    ],
  })
  return inserted.rowCount === 1
}

/** Its row stays locked until the caller commits. */
async function nextSeq(transaction: Queryable, accountId: number): Promise<number> {
  const { rows } = await transaction.query<{ last_seq: number }>({
    name: 'lock-reply-sequence',
    text: `insert into reply_sequences as s (account_id, last_seq) values ($1, 0)
           on conflict (account_id) do update set last_seq = s.last_seq returning last_seq`,
    values: [accountId],
  })
  return rows[0]!.last_seq + 1
}

async function takeSeq(transaction: Queryable, accountId: number, seq: number): Promise<void> {
  await transaction.query({
    name: 'take-reply-seq',
    text: 'update reply_sequences set last_seq = $2 where account_id = $1',
    values: [accountId, seq],
  })
}

export const replyColumns = `r.reply_key as "replyKey", r.service_type as "serviceType", r.content, r.sealed, r.parts,
  r.missing, r.choice, r.sent_at as "sentAt", r.created_at as "createdAt"`

/** Of contents in one answer: it ends after the reply that reaches this. One reply has at most 60 kB, when all is escaped. */
export const maxReplyBytes = 4_000_000

/** SQL: of the replies of an account before this one. The lengths are known without reading the contents. */
const bytesBefore = `sum(coalesce(octet_length(content), octet_length(sealed))) over (order by seq
  rows between unbounded preceding and 1 preceding)`

/** In the account's order, after `afterSeq` and up to `upToSeq`; fewer than `limit` when they reach `maxReplyBytes`. */
export async function readReplies(
  database: Queryable,
  accountId: number,
  afterSeq: number,
  upToSeq: number,
  limit: number,
): Promise<NumberedReply[]> {
  const { rows } = await database.query<Omit<NumberedReply, 'content'> & StoredContent>({
    name: 'read-replies',
    text: `select ${replyColumns}, r.seq
             from (select p.*, ${bytesBefore} as before
                     from replies p where account_id = $1 and seq > $2 and seq <= $3 order by seq limit $4) as r
            where coalesce(r.before, 0) < $5 order by r.seq`,
    values: [accountId, afterSeq, upToSeq, limit, maxReplyBytes],
  })
  return withContents(rows)
}

export interface FreshReply extends NumberedReply {
  readonly webhookId: string
  /** How many the webhook has within its count, with those that were left out because of their size. */
  readonly found: number
}

/**
 * After the position of each webhook, in order; of those that were stored since `createdAfter`. Together they end with
 * `maxReplyBytes`, of which each webhook has its share, and one reply at least.
 */
export async function readFreshReplies(
  database: Queryable,
  requests: readonly {
    readonly webhookId: string
    readonly accountId: number
    readonly afterSeq: number
    readonly count: number
  }[],
  createdAfter: Date,
  maxBytes = maxReplyBytes,
): Promise<FreshReply[]> {
  const rows = await queryBulk<Omit<FreshReply, 'content'> & StoredContent>(database, {
    name: 'read-fresh-replies',
    text: `select w.webhook_id as "webhookId", r.seq, ${replyColumns}, r.found
             from unnest($1::text[], $2::int[], $3::bigint[], $4::int[]) as w (webhook_id, account_id, after_seq, n)
            cross join lateral (
              select p.*, count(*) over ()::int as found, ${bytesBefore} as before
                from (select * from replies a
                       where a.account_id = w.account_id and a.seq > w.after_seq and a.created_at > $5
                       order by a.seq limit w.n) as p) as r
            where coalesce(r.before, 0) < $6 order by w.webhook_id, r.seq`,
    columns: columns(requests, ({ webhookId, accountId, afterSeq, count }) => [
      ...[webhookId, accountId, afterSeq, count],
    ]),
    values: [createdAfter, Math.max(1, Math.floor(maxBytes / requests.length))],
  })
  return withContents(rows)
}

/** Those that are stored, by their keys. */
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

export async function lastReplySeq(database: Queryable, accountId: number): Promise<number> {
  const { rows } = await database.query<{ last_seq: number }>({
    name: 'last-reply-seq',
    text: 'select last_seq from reply_sequences where account_id = $1',
    values: [accountId],
  })
  return rows[0]?.last_seq ?? 0
}

/** Whether the account has replies that neither polling nor a consumer nor a webhook has passed. */
export async function hasUnreadReplies(database: Queryable, accountId: number): Promise<boolean> {
  const { rows } = await database.query(
    `select from replies where account_id = $1 and seq > greatest(
       (select acked_seq from reply_polls where account_id = $1),
       (select max(acked_seq) from reply_consumers where account_id = $1),
       (select max(c.seq) from webhook_cursors c join webhooks w on w.id = c.webhook_id
         where w.account_id = $1 and w.events = 'replies'), 0) limit 1`,
    [accountId],
  )
  return rows.length > 0
}

/** Replies without an account, oldest first. */
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

/** Gives a reply without an account to one, with its next number. Its retention goes on from when it came. */
export async function assignReply(
  transaction: Queryable,
  replyKey: string,
  accountId: number,
): Promise<void> {
  const seq = await nextSeq(transaction, accountId)
  const moved = await transaction.query(
    'update replies set account_id = $3, seq = $4, assigned_at = now() where reply_key = $1 and account_id = $2',
    [replyKey, noAccount, accountId, seq],
  )
  if (moved.rowCount === 1) await takeSeq(transaction, accountId, seq)
}

/** What one number has written to the account, complete or not. Returns how many replies. */
export async function eraseRepliesOf(
  database: Queryable,
  accountId: number,
  fromIndex: Buffer,
): Promise<number> {
  await database.query('delete from reply_series where from_index = $1 and account_id in ($2, $3)', [
    ...[fromIndex, accountId, noAccount],
  ])
  const { rowCount } = await database.query(
    'delete from replies where from_index = $1 and account_id in ($2, $3)',
    [fromIndex, accountId, noAccount],
  )
  return rowCount ?? 0
}

/** Those past retention, and those of accounts whose texts are erased earlier. Returns how many. */
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
