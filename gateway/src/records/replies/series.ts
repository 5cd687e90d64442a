/**
 * Long replies: parts are stored until all have arrived, over any number of links, processes and restarts,
 * and become one reply. If no further part arrives in time, the reply is stored as incomplete. A repeated
 * part changes nothing; a part with the position of a different text begins the next message with the same
 * reference. The only writer of reply_series and reply_parts.
 */
import { maxReplyText } from '../../carriers/connectors/reply.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { storeContent, withContents, type StoredContent } from './content.ts'
import { insertReply } from './queries.ts'
import type { NewReply, ReplyContent } from './reply.ts'

/** Milliseconds that a reply waits for its next part. */
export const partsWaitMs = 600_000
/**
 * Milliseconds that a stored series is remembered, for repeated parts: phones repeat references after 256
 * messages.
 */
const rememberedMs = 3_600_000

export interface NewReplyPart extends Omit<NewReply, 'parts' | 'missing' | 'choice' | 'carrierKey'> {
  readonly series: Buffer
  readonly part: number
  readonly parts: number
}

interface Part {
  readonly part: number
  readonly replyKey: string
  readonly content: ReplyContent | null
  readonly sentAt: Date
}

interface Series extends Pick<
  NewReplyPart,
  'series' | 'accountId' | 'routeId' | 'serviceType' | 'parts' | 'fromIndex'
> {
  readonly closed: boolean
}

export async function storeReplyPart(transaction: Queryable, added: NewReplyPart): Promise<void> {
  const { series, part } = added
  let existing = await lockSeries(transaction, added)
  let before = await countParts(transaction, series)
  const [same] = await readParts(transaction, series, part)
  if (same !== undefined) {
    if (same.content?.text === added.content.text) return
    if (!existing.closed) await closeSeries(transaction, existing, await readParts(transaction, series))
    await transaction.query('delete from reply_series where series = $1', [series])
    existing = await lockSeries(transaction, added)
    before = 0
  }
  const { content, sealed } = await storeContent(added.replyKey, added.content)
  await transaction.query({
    name: 'insert-reply-part',
    text: `insert into reply_parts (series, part, reply_key, content, sealed, sent_at) values ($1, $2, $3, $4, $5, $6)`,
    values: [series, part, added.replyKey, content, sealed, added.sentAt],
  })
  // The reply was stored as incomplete. A late part becomes a separate reply, so that nothing is lost.
  if (existing.closed) return closeSeries(transaction, existing, [added])
  if (before + 1 === added.parts)
    return closeSeries(transaction, existing, await readParts(transaction, series))
  await transaction.query('update reply_series set last_at = now() where series = $1', [series])
}

/** Closes up to 100 series whose next part did not arrive in time, and stores their replies. Returns how many series. */
export async function closeIncomplete(transaction: Queryable, waitMs = partsWaitMs): Promise<number> {
  const { rows } = await transaction.query<Series>(
    `select ${seriesColumns} from reply_series
      where not closed and last_at < $1 order by last_at limit 100 for update skip locked`,
    [clock.cutoff(waitMs)],
  )
  for (const series of rows)
    await closeSeries(transaction, series, await readParts(transaction, series.series))
  return rows.length
}

export async function removeClosedSeries(database: Queryable): Promise<void> {
  await database.query('delete from reply_series where closed and last_at < $1', [clock.cutoff(rememberedMs)])
}

const seriesColumns = `series, account_id as "accountId", route_id as "routeId", service_type as "serviceType", parts,
  from_index as "fromIndex", closed`

async function lockSeries(transaction: Queryable, part: NewReplyPart): Promise<Series> {
  const { rows } = await transaction.query<Series>({
    name: 'lock-reply-series',
    text: `insert into reply_series as s (series, account_id, route_id, service_type, parts, from_index)
           values ($1, $2, $3, $4, $5, $6)
           on conflict (series) do update set parts = s.parts returning ${seriesColumns}`,
    values: [part.series, part.accountId, part.routeId, part.serviceType, part.parts, part.fromIndex],
  })
  return rows[0]!
}

async function countParts(transaction: Queryable, series: Buffer): Promise<number> {
  const { rows } = await transaction.query<{ parts: number }>({
    name: 'count-reply-parts',
    text: 'select count(*)::int as parts from reply_parts where series = $1',
    values: [series],
  })
  return rows[0]!.parts
}

/** Reads all parts, or the one at this position. */
async function readParts(transaction: Queryable, series: Buffer, part?: number): Promise<Part[]> {
  const { rows } = await transaction.query<Omit<Part, 'content'> & StoredContent>({
    name: 'read-reply-parts',
    text: `select part, reply_key as "replyKey", content, sealed, sent_at as "sentAt" from reply_parts
            where series = $1 and ($2::int is null or part = $2) order by part`,
    values: [series, part],
  })
  return withContents(rows)
}

/** Stores the reply under the key of the part that arrived first. */
async function closeSeries(transaction: Queryable, series: Series, given: readonly Part[]): Promise<void> {
  const parts = given.toSorted((left, right) => left.part - right.part)
  const [first] = parts.toSorted((left, right) => (left.replyKey < right.replyKey ? -1 : 1))
  const content = parts.find((part) => part.content !== null)?.content
  await transaction.query('update reply_series set closed = true, last_at = now() where series = $1', [
    series.series,
  ])
  // Nothing can be decrypted if the key of the day is destroyed.
  if (first === undefined || content === undefined || content === null) return
  await insertReply(transaction, {
    replyKey: first.replyKey,
    accountId: series.accountId,
    routeId: series.routeId,
    serviceType: series.serviceType,
    fromIndex: series.fromIndex,
    content: {
      ...content,
      text: parts
        .map((part) => part.content?.text ?? '')
        .join('')
        .slice(0, maxReplyText),
    },
    parts: series.parts,
    missing: series.parts - parts.length,
    choice: null,
    carrierKey: null,
    sentAt: first.sentAt,
  })
}
