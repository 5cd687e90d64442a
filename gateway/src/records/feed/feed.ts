/**
 * A numbered feed: the reports or the replies of each account in one order. Numbers of an account become
 * visible in order, because a writer holds the account's row in the sequences table until it commits.
 * Polling, consumers, webhooks and SMPP follow a feed by number.
 */
import type { Queryable } from '../../platform/database/database.ts'

export interface FeedRow {
  readonly seq: number
  readonly createdAt: Date
}

/**
 * Selects rows of one account in order, after `afterSeq` and up to `upToSeq`, which is at most the last
 * assigned number.
 */
export interface FeedRequest {
  readonly accountId: number
  readonly afterSeq: number
  readonly upToSeq: number
  readonly limit: number
}

export interface FeedPage<Row extends FeedRow> {
  readonly rows: readonly Row[]
  /** Whether rows within the limit were left out because of their size. */
  readonly isCut: boolean
}

export interface Feed<Row extends FeedRow> {
  /** Prefix of the tables `…_sequences`, `…_polls` and `…_consumers`. */
  readonly name: 'report' | 'reply'
  /** Table with the rows. */
  readonly table: 'reports' | 'replies'
  /** SQL expression for the time at which a row got its number. */
  readonly numberedAt: string
  /** How long polling returns a row; if absent, as long as the row is stored. */
  readonly pollingLifetimeMs?: number
  /** First field of a cursor: no feed accepts a cursor of another. */
  readonly cursorMark: string
  /** Reads one page per request, of rows created after `createdAfter`. */
  readPages(
    database: Queryable,
    requests: readonly FeedRequest[],
    createdAfter: Date,
  ): Promise<FeedPage<Row>[]>
}

const anyAge = new Date(0)

/** Reads the next rows of an account, of any age. */
export async function readFeed<Row extends FeedRow>(
  database: Queryable,
  feed: Feed<Row>,
  { accountId, afterSeq, limit, upToSeq }: Omit<FeedRequest, 'upToSeq'> & { readonly upToSeq?: number },
): Promise<readonly Row[]> {
  const last = upToSeq ?? (await readLastSeq(database, feed, accountId))
  if (last <= afterSeq) return []
  const [page] = await feed.readPages(database, [{ accountId, afterSeq, limit, upToSeq: last }], anyAge)
  return page!.rows
}

type Tables = Pick<Feed<FeedRow>, 'name' | 'table' | 'numberedAt'>

/** Returns the last number assigned to a row of the account, or 0. */
export async function readLastSeq(database: Queryable, feed: Tables, accountId: number): Promise<number> {
  return (await readLastSeqs(database, feed, [accountId])).get(accountId) ?? 0
}

/** Returns the last numbers of the accounts that have rows. */
export async function readLastSeqs(
  database: Queryable,
  { name }: Pick<Tables, 'name'>,
  accountIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await database.query<{ accountId: number; lastSeq: number }>({
    name: `read-last-seqs-${name}`,
    text: `select account_id as "accountId", last_seq as "lastSeq" from ${name}_sequences where account_id = any($1)`,
    values: [accountIds],
  })
  return new Map(rows.map(({ accountId, lastSeq }) => [accountId, lastSeq]))
}

/** Reads number and time of the first row from `seq` on and below `before`. */
export async function readFirstNumbered(
  database: Queryable,
  { name, table, numberedAt }: Tables,
  accountId: number,
  seq: number,
  before: number,
): Promise<{ readonly seq: number; readonly numberedAt: Date } | null> {
  const { rows } = await database.query<{ seq: number; numberedAt: Date }>({
    name: `probe-${name}`,
    text: `select seq, ${numberedAt} as "numberedAt" from ${table}
            where account_id = $1 and seq >= $2 and seq < $3 order by seq limit 1`,
    values: [accountId, seq, before],
  })
  return rows[0] ?? null
}

/**
 * Maximum time that a writer waits for its number. A row has the time at which its writer's transaction began
 * and the number it got later, so two concurrent writers can have them in opposite order.
 */
const skewMs = 10_000

/**
 * Returns the number before the first row that was numbered at `time` or later. Times rise with numbers, so a
 * binary search finds it: about thirty probes for half a billion rows. `afterSeq` is a lower bound of the
 * result.
 */
export async function seekTime(
  database: Queryable,
  feed: Tables,
  accountId: number,
  time: Date,
  afterSeq = 0,
): Promise<number> {
  const lastSeq = await readLastSeq(database, feed, accountId)
  const earliest = time.getTime() - skewMs
  let old = afterSeq
  let young = lastSeq + 1
  while (old + 1 < young) {
    const middle = Math.floor((old + young) / 2)
    const found = await readFirstNumbered(database, feed, accountId, middle, young)
    if (found === null || found.numberedAt.getTime() > earliest) young = middle
    else old = found.seq
  }
  const { rows } = await database.query<{ seq: number }>({
    name: `seek-${feed.name}`,
    text: `select seq from ${feed.table} where account_id = $1 and seq > $2 and ${feed.numberedAt} >= $3
            order by seq limit 1`,
    values: [accountId, old, time],
  })
  const [first] = rows
  return first === undefined ? Math.max(afterSeq, lastSeq) : first.seq - 1
}

/** Distributes rows of a statement over several requests to the page of each. `request` is the index of the request. */
export function toPages<Row extends FeedRow>(
  rows: readonly (Row & { readonly request: number })[],
  count: number,
): Row[][] {
  const pages = Array.from({ length: count }, (): Row[] => [])
  for (const row of rows) pages[row.request]!.push(row)
  return pages
}
