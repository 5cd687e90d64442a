/**
 * Implements `postern traffic find`. The operation answers in the order in which messages ended. As soon as there are as many as asked for,
 * only newer ones than the oldest of them are searched.
 */
import { isoTimeOfKey } from '../../contract/msg-key.ts'
import { whileBusy } from '../client/chunks.ts'
import { pageSize, type AdminClient, type Item } from '../client/client.ts'
import { renderData } from '../render.ts'
import type { Result } from '../result.ts'

export interface TrafficOptions {
  readonly sender?: string
  readonly account?: string
  readonly from?: string
  readonly until?: string
  readonly limit: number
}

type Found = Item<'searchTraffic'>

export async function findRecords(
  admin: AdminClient,
  recipient: string | undefined,
  { sender, account, from, until, limit }: TrafficOptions,
): Promise<Result> {
  const common = { recipient, sender, account, until, limit: pageSize, ...admin.requireReason() }
  let since = from
  // By key, because a record may be moved between two pages, from the partition of what has no month to a new month.
  let found = new Map<string, Found>()
  let cutAt = limit
  const pages = admin.readPages((page) =>
    whileBusy(() => admin.call('searchTraffic', { body: { ...common, from: since, ...page } })),
  )
  for await (const { items } of pages) {
    for (const item of items) found.set(item.msgKey, item)
    if (found.size < cutAt) continue
    const newest = sortNewest(found, limit)
    since = isoTimeOfKey(newest.at(-1)![0]) ?? since
    found = new Map(newest)
    cutAt = limit + Math.max(pageSize, limit / 10)
  }
  const json = { items: sortNewest(found, limit).map(([, item]) => item) }
  const more = json.items.length === limit ? [`the newest ${limit}; --limit prints more`] : []
  return { json, lines: [...renderData(json), ...more] }
}

/** Too slow to be called for each page. */
function sortNewest(found: ReadonlyMap<string, Found>, limit: number): [string, Found][] {
  return [...found].sort(([left], [right]) => (left < right ? 1 : -1)).slice(0, limit)
}
