/** Sample rows of the audit log. */
import type { AuditEntry } from '../../../gateway/src/identity/audit/entry.ts'
import { appendAudit } from '../../../gateway/src/identity/audit/queries.ts'
import { openDatabase, type Database } from '../../../gateway/src/platform/database/database.ts'
import { createTestAuditContext } from '../../../gateway/test/support/audit-context.ts'
import { silentLog } from '../../../gateway/test/support/silent-log.ts'

/** `retries` is the number of rows that differ only in their reason, for lists of several pages. */
export async function addAuditRows(databaseUrl: string, retries: number): Promise<void> {
  const database = openDatabase(databaseUrl, silentLog, { connections: 1 })
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
    action: 'route put',
    target: 'carrier-a',
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
  const context = {
    ...createTestAuditContext(by, reason),
    role: 'operator' as const,
    source: 'gw-1',
    requestId: `${by} ${reason}`,
  }
  await appendAudit(database, context, { result: 'done', ...entry })
}
