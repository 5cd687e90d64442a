/**
 * `postern traffic find` over the admin API, which answers in the order in which messages ended. As soon as there are as many as asked for,
 * only newer ones than the oldest of them are searched.
 */
import { isoTimeOfKey } from '../../contract/msg-key.ts'
import { whileBusy } from '../client/chunks.ts'
import { pageSize, type AdminClient, type Item } from '../client/client.ts'
import type { Result } from '../result.ts'
import { readRequest, type TrafficOptions } from './request.ts'
import { recordsResult } from './view.ts'

type Found = Item<'searchTraffic'>

export async function findRecords(
  admin: AdminClient,
  number: string | undefined,
  options: TrafficOptions,
): Promise<Result> {
  const { limit, from, until, ...whose } = readRequest(number, options)
  const common = { ...whose, until: until?.toISOString(), limit: pageSize, ...admin.requireReason() }
  let since = from?.toISOString()
  // By key: a record may be moved between two pages, from the partition of what has no month to a new month.
  let found = new Map<string, Found>()
  let cutAt = limit
  const pages = admin.readPages((page) =>
    whileBusy(() => admin.call('searchTraffic', { body: { ...common, from: since, ...page } })),
  )
  for await (const { items } of pages) {
    for (const item of items) found.set(item.msgKey, item)
    if (found.size < cutAt) continue
    const newest = newestOf(found, limit)
    since = isoTimeOfKey(newest.at(-1)![0]) ?? since
    found = new Map(newest)
    cutAt = limit + Math.max(pageSize, limit / 10)
  }
  const records = newestOf(found, limit).map(([, { account: clientId, ...record }]) => ({
    ...record,
    clientId,
  }))
  return recordsResult(records, limit)
}

/** Sorted, for which reason it is not called for each page. */
function newestOf(found: ReadonlyMap<string, Found>, limit: number): [string, Found][] {
  return [...found].sort(([left], [right]) => (left < right ? 1 : -1)).slice(0, limit)
}
