/** Rows of an audit log that has something to show. */
import type { AuditEntry } from '../../../gateway/src/audit/entry.ts'
import { appendAudit } from '../../../gateway/src/audit/queries.ts'
import { openDatabase, type Database } from '../../../gateway/src/platform/database.ts'
import { testAct } from '../../../gateway/test/support/act.ts'
import { quietLog } from '../../../gateway/test/support/silent-log.ts'

/** `retries`: rows that differ in their reason alone, for lists of several pages. */
export async function addAuditRows(databaseUrl: string, retries: number): Promise<void> {
  const database = openDatabase(databaseUrl, quietLog, { connections: 1 })
  try {
    await addAll(database, retries)
  } finally {
    await database.end()
  }
}

async function addAll(database: Database, retries: number): Promise<void> {
  for (let nth = 1; nth <= retries; nth += 1)
    await add(database, 'kim', `ticket ${nth}`, { action: 'parked retry', target: `${nth} jobs` })
  for (const reason of ['=cmd()', '+1', '-1', '@x'])
    await add(database, 'eve', reason, { action: 'account block', result: 'refused', target: 'shop-2' })
  await add(database, 'lee', 'carrier slow', {
    ...{ action: 'route put', target: 'carrier-a' },
    details: {
      options: { from: { host: 'a', partsPerSecond: 100 }, to: { host: 'a', partsPerSecond: 20 } },
      enabled: { from: true, to: false },
      changed: 2,
    },
  })
}

async function add(
  database: Database,
  by: string,
  reason: string,
  entry: Pick<AuditEntry, 'action' | 'target'> & Partial<AuditEntry>,
): Promise<void> {
  const act = {
    ...testAct(by, reason),
    role: 'operator' as const,
    source: 'gw-1',
    requestId: `${by} ${reason}`,
  }
  await appendAudit(database, act, { result: 'done', ...entry })
}
