/**
 * Implements `postern traffic find`. The operation returns messages in the order of their end. Once `limit`
 * records are found, only records newer than the oldest of them are searched.
 */
import { formatKeyTime } from '../../contract/msg-key.ts'
import { retryWhileBusy } from '../client/chunks.ts'
import { pageSize, type AdminClient, type ListItem } from '../client/client.ts'
import { renderData } from '../render.ts'
import type { Result } from '../result.ts'

export interface TrafficOptions {
  readonly sender?: string
  readonly account?: string
  readonly from?: string
  readonly until?: string
  readonly limit: number
}

type Found = ListItem<'searchTraffic'>

export async function findRecords(
  admin: AdminClient,
  recipient: string | undefined,
  { sender, account, from, until, limit }: TrafficOptions,
): Promise<Result> {
  const common = { recipient, sender, account, until, limit: pageSize, ...admin.requireReason() }
  let since = from
  // Keyed by message, because a record may move between two pages, from the default partition to a new month.
  let found = new Map<string, Found>()
  let cutAt = limit
  const pages = admin.readPages((page) =>
    retryWhileBusy(() => admin.call('searchTraffic', { body: { ...common, from: since, ...page } })),
  )
  for await (const { items } of pages) {
    for (const item of items) found.set(item.msgKey, item)
    if (found.size < cutAt) continue
    const newest = sortNewest(found, limit)
    since = formatKeyTime(newest.at(-1)![0]) ?? since
    found = new Map(newest)
    cutAt = limit + Math.max(pageSize, limit / 10)
  }
  const json = { items: sortNewest(found, limit).map(([, item]) => item) }
  const more = json.items.length === limit ? [`the newest ${limit}; use --limit for more`] : []
  return { json, lines: [...renderData(json), ...more] }
}

/** Returns the newest `limit` records, newest first. Sorting is too slow for each page, so it runs after several. */
function sortNewest(found: ReadonlyMap<string, Found>, limit: number): [string, Found][] {
  return [...found].sort(([left], [right]) => (left < right ? 1 : -1)).slice(0, limit)
}
