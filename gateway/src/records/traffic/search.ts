/**
 * Searches traffic_records in bounded pieces, for requests that have little time: no index serves a search, so each piece reads a range of
 * pages of one partition, backwards from where the one before ended. The newest month comes first; within it records are in the order in
 * which messages were closed. Called by the admin API.
 */
import type { Database, Queryable } from '../../platform/database.ts'
import type { FoundTraffic, TrafficQuery } from './queries.ts'

/** 16 MB: about 150,000 records, read in some 50 ms when they are in memory. */
const defaultPages = 2_048
/** The partition for records of months that have no partition of their own yet. */
const others = 'default'

/** Records before this place of a partition are not searched yet. */
export interface TrafficPosition {
  /** `202611`, or `default`. */
  readonly partition: string
  readonly page: number
  /** Number of the record within the page. */
  readonly item: number
}

export interface TrafficSearch extends Pick<TrafficQuery, 'accountIds' | 'indexes' | 'sender'> {
  /** Keys of messages from this one on; a key begins with its time. */
  readonly fromKey: string
  readonly beforeKey: string
}

export interface TrafficPiece {
  readonly records: readonly FoundTraffic[]
  /** Null when nothing is left. */
  readonly next: TrafficPosition | null
}

interface Partition {
  readonly name: string
  readonly id: number
  readonly pages: number
}

/** At most `limit` records; then the next piece goes on after the last of them. `position`: null for the first piece. */
export async function searchTraffic(
  database: Database,
  search: TrafficSearch,
  position: TrafficPosition | null,
  limit: number,
  pagesPerPiece = defaultPages,
): Promise<TrafficPiece> {
  const partitions = await readPartitions(database, search)
  const at = position === null ? 0 : partitions.findIndex(({ name }) => name === position.partition)
  const partition = partitions[at]
  // A month that was dropped meanwhile was the oldest.
  if (partition === undefined) return { records: [], next: null }
  const end = position ?? endOf(partition)
  // The range of keys leaves no month out for `default`: the same pages of each of them are read too.
  const pages = partition.name === others ? Math.ceil(pagesPerPiece / partitions.length) : pagesPerPiece
  const begin = Math.max(0, end.page - pages)
  const found = await readPages(database, search, { partition, begin, end }, limit)
  const records = found.map(({ record }) => record)
  const last = found.at(-1)
  if (last !== undefined && found.length === limit) {
    const [page = 0, item = 0] = last.place.slice(1, -1).split(',').map(Number)
    return { records, next: { partition: partition.name, page, item } }
  }
  if (begin > 0) return { records, next: { partition: partition.name, page: begin, item: 0 } }
  // Read again: records may have been moved to a month that was created meanwhile. `default` comes after every month in the order of names.
  const following = (await readPartitions(database, search)).find(({ name }) => name < partition.name)
  return { records, next: following === undefined ? null : endOf(following) }
}

const endOf = ({ name, pages }: Partition): TrafficPosition => ({ partition: name, page: pages, item: 0 })

/** Those that may have records of the time, in the order of the search. */
async function readPartitions(
  database: Queryable,
  { fromKey, beforeKey }: Pick<TrafficSearch, 'fromKey' | 'beforeKey'>,
): Promise<Partition[]> {
  const found = await database.query<Partition>(
    `select substr(c.relname, 17) as name, c.oid::int8 as id,
            s.bytes / current_setting('block_size')::int8 as pages
       from pg_inherits h join pg_class c on c.oid = h.inhrelid
           -- Null of a partition that is dropped meanwhile.
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
  readonly end: TrafficPosition
}

interface PlacedTraffic {
  readonly record: FoundTraffic
  /** As PostgreSQL writes it: `(page,item)`. */
  readonly place: string
}

/** The range of keys leaves the other months out; `tableoid` the records of `default`, whose pages have the same numbers. */
async function readPages(
  database: Database,
  { accountIds, indexes, sender, fromKey, beforeKey }: TrafficSearch,
  { partition: { name, id }, begin, end }: Range,
  limit: number,
): Promise<PlacedTraffic[]> {
  const month = name === others ? null : name
  const from = month !== null && month > fromKey ? month : fromKey
  const before = month !== null && `${month}~` < beforeKey ? `${month}~` : beforeKey
  const found = await database.query<FoundTraffic & Pick<PlacedTraffic, 'place'>>(
    `select t.place::text, t.msg_key as "msgKey", a.client_id as "clientId", t.sender, t.channel, t.report_code as "reportCode",
              t.sent_at as "sentAt"
         from (select r.ctid as place, r.* from traffic_records r
                where r.ctid >= $1::tid and r.ctid < $2::tid and r.tableoid = $3::int8::oid and r.msg_key >= $4 and r.msg_key < $5
                  and r.account_id = any($6) and ($7::bytea[] is null or r.recipient_index = any($7))
                  and ($8::text is null or r.sender = $8)
                order by r.ctid desc limit $9) t
         join accounts a on a.id = t.account_id order by t.place desc`,
    [
      ...[`(${begin},0)`, `(${end.page},${end.item})`, id, from, before],
      ...[accountIds, indexes ?? null, sender ?? null, limit],
    ],
  )
  return found.rows.map(({ place, ...record }) => ({ place, record }))
}
