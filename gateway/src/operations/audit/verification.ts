/**
 * Verifies the audit log for the admin API: one verification at a time per extent, cached for ten seconds,
 * because each reads and hashes many rows.
 */
import { verifyAudit, verifyNewest, type Verification } from '../../identity/audit/verify.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Database } from '../../platform/database/database.ts'

export interface ShownVerification extends Verification {
  readonly verifiedAt: Date
  readonly all: boolean
}

const newestRows = 5_000
const keptMs = 10_000
const running = new WeakMap<Database, Map<boolean, Promise<ShownVerification>>>()

/** `all` verifies every row instead of the newest ones. */
export function verifyOnce(database: Database, all: boolean): Promise<ShownVerification> {
  const byExtent = running.get(database) ?? new Map<boolean, Promise<ShownVerification>>()
  running.set(database, byExtent)
  const pending = byExtent.get(all)
  if (pending !== undefined) return pending
  const startedAt = performance.now()
  const result = verify(database, all)
  byExtent.set(all, result)
  const forget = (): void => void byExtent.delete(all)
  result.then(() => setTimeout(forget, Math.max(0, keptMs - (performance.now() - startedAt))).unref(), forget)
  return result
}

async function verify(database: Database, all: boolean): Promise<ShownVerification> {
  const verifiedAt = clock.date()
  const found = await (all ? verifyAudit(database, []) : verifyNewest(database, newestRows))
  return { ...found, verifiedAt, all: all || found.last.seq === found.rows }
}
