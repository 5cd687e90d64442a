/**
 * Searches traffic_records in limited pieces. No index supports a search, because every message would pay for
 * it, so a piece reads a range of pages of one partition, backwards from the end of the last piece. Records without a
 * month come first, then the newest month; within a partition, the message that was closed last comes first.
 */
import type { Database, Queryable } from '../../platform/database/database.ts'
import type { Piece } from '../search-page.ts'
import type { TrafficEntry, TrafficQuery } from './queries.ts'

/** About 150,000 records, in 16 MB. */
const defaultPages = 2_048
/** Partition of records whose month has no partition yet. Its name sorts after every month. */
const others = 'default'

/**
 * Search position: records before it in its partition, and those of partitions that sort before it, remain to
 * be searched.
 */
export interface TrafficPosition {
  /** `202611`, or `default`. */
  readonly partition: string
  readonly page: number
  /** Number of the record within the page. */
  readonly item: number
}

export const searchStart: TrafficPosition = { partition: '~', page: 0, item: 0 }

export interface TrafficSearch extends Pick<TrafficQuery, 'accountIds' | 'indexes' | 'sender'> {
  /** Range of message keys; a key begins with its time. */
  readonly fromKey: string
  readonly beforeKey: string
}

interface Partition {
  readonly name: string
  readonly id: number
  readonly pages: number
}

export async function searchTraffic(
  database: Database,
  search: TrafficSearch,
  position: TrafficPosition,
  limit: number,
  pagesPerPiece = defaultPages,
): Promise<Piece<TrafficEntry, TrafficPosition>> {
  const partitions = await readPartitions(database, search)
  const isBegun = position.page > 0 || position.item > 0
  const partition = partitions.find(
    ({ name }) => name < position.partition || (isBegun && name === position.partition),
  )
  if (partition === undefined) return { items: [], next: null }
  const { name } = partition
  const end = name === position.partition ? position : { page: partition.pages, item: 0 }
  // The key range excludes no month for `default`: the same pages of every month are read as well.
  const pages = name === others ? Math.ceil(pagesPerPiece / partitions.length) : pagesPerPiece
  const begin = Math.max(0, end.page - pages)
  const found = await readPages(database, search, { partition, begin, end }, limit)
  const items = found.map(({ record }) => record)
  if (found.length < limit) return { items, next: { partition: name, page: begin, item: 0 } }
  const [page = 0, item = 0] = found.at(-1)!.place.slice(1, -1).split(',').map(Number)
  return { items, next: { partition: name, page, item } }
}

/** Reads the partitions that can have records of the period, in search order. */
async function readPartitions(
  database: Queryable,
  { fromKey, beforeKey }: Pick<TrafficSearch, 'fromKey' | 'beforeKey'>,
): Promise<Partition[]> {
  const found = await database.query<Partition>(
    `select substr(c.relname, 17) as name, c.oid::int8 as id,
            s.bytes / current_setting('block_size')::int8 as pages
       from pg_inherits h join pg_class c on c.oid = h.inhrelid
           -- The size of a partition that is being dropped is null.
           join lateral pg_relation_size(c.oid) as s (bytes) on s.bytes is not null
      where h.inhparent = 'traffic_records'::regclass and c.relkind = 'r' and c.relname ~ '^traffic_records_([0-9]{6}|default)$'
      order by c.relname collate "C" desc`,
  )
  const [first, last] = [fromKey.slice(0, 6), beforeKey.slice(0, 6)]
  return found.rows.filter(({ name }) => name === others || (name >= first && name <= last))
}

interface Range {
  readonly partition: Partition
  readonly begin: number
  readonly end: Pick<TrafficPosition, 'page' | 'item'>
}

interface PlacedTraffic {
  readonly record: TrafficEntry
  /** `(page,item)` in PostgreSQL's notation. */
  readonly place: string
}

/**
 * Reads pages. The key range excludes the other months; `tableoid` excludes `default`, whose pages have the
 * same numbers.
 */
async function readPages(
  database: Database,
  { accountIds, indexes, sender, fromKey, beforeKey }: TrafficSearch,
  { partition: { name, id }, begin, end }: Range,
  limit: number,
): Promise<PlacedTraffic[]> {
  const month = name === others ? null : name
  const from = month !== null && month > fromKey ? month : fromKey
  const before = month !== null && `${month}~` < beforeKey ? `${month}~` : beforeKey
  const found = await database.query<TrafficEntry & Pick<PlacedTraffic, 'place'>>(
    `select t.place::text, t.msg_key as "msgKey", a.client_id as "clientId", t.sender, t.channel, t.report_code as "reportCode",
              t.sent_at as "sentAt"
         from (select r.ctid as place, r.* from traffic_records r
                where r.ctid >= $1::tid and r.ctid < $2::tid and r.tableoid = $3::int8::oid and r.msg_key >= $4 and r.msg_key < $5
                  and r.account_id = any($6) and ($7::bytea[] is null or r.recipient_index = any($7))
                  and ($8::text is null or r.sender = $8)
                order by r.ctid desc limit $9) t
         join accounts a on a.id = t.account_id order by t.place desc`,
    [`(${begin},0)`, `(${end.page},${end.item})`, id, from, before, accountIds, indexes, sender, limit],
  )
  return found.rows.map(({ place, ...record }) => ({ place, record }))
}
