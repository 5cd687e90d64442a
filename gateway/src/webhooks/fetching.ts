/**
 * Gives the lines of a worker what they have room for: new reports after their cursors, and deliveries whose time has come. One
 * statement for all lines, whatever their number; writes nothing.
 */
import type { Database } from '../platform/database.ts'
import type { EndpointWorker } from './endpoint-worker.ts'
import { readDue, readFresh, readHeads, type Want } from './source.ts'
import { pushLifetimeMs } from './webhook.ts'

/** By webhook; it may change while the tables are read. */
export type Lines = ReadonlyMap<string, EndpointWorker>

export async function fetchFresh(database: Database, lines: Lines, now: Date): Promise<void> {
  const wants = [...lines.values()].flatMap((line): Want[] => {
    const count = line.wantsFresh
    const { id: webhookId, accountId } = line.webhook
    return count > 0 ? [{ webhookId, accountId, afterSeq: line.afterSeq, count }] : []
  })
  if (wants.length === 0) return
  const asked = new Map(lines)
  const heads = await readHeads(database, [...new Set(wants.map(({ accountId }) => accountId))])
  const behind = wants.filter(({ accountId, afterSeq }) => (heads.get(accountId) ?? 0) > afterSeq)
  if (behind.length === 0) return
  const reports = await readFresh(database, behind, new Date(now.getTime() - pushLifetimeMs))
  const rows = Map.groupBy(reports, ({ webhookId }) => webhookId)
  for (const { webhookId, accountId, count } of behind) {
    const line = sameLine(webhookId, asked, lines)
    const own = rows.get(webhookId) ?? []
    line?.addFresh(own)
    // It has all there is.
    if (own.length < count) line?.skipTo(heads.get(accountId)!)
  }
}

export async function fetchDue(database: Database, lines: Lines, now: Date): Promise<void> {
  const wants = [...lines].flatMap(([webhookId, line]) => {
    const count = line.askDue()
    return count > 0 ? [{ webhookId, count }] : []
  })
  if (wants.length === 0) return
  const asked = new Map(lines)
  const deliveries = await readDue(database, wants, now)
  for (const [webhookId, own] of Map.groupBy(deliveries, (row) => row.webhookId))
    sameLine(webhookId, asked, lines)?.addDue(own)
}

/** The line that asked: one that was replaced meanwhile stands elsewhere. */
function sameLine(webhookId: string, asked: Lines, lines: Lines): EndpointWorker | undefined {
  const line = lines.get(webhookId)
  return line === asked.get(webhookId) ? line : undefined
}
