/** Registers a separate member, like a process that owns partitions. */
import pg from 'pg'
import { Membership, type MembershipOptions } from '../../src/platform/membership/membership.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { addCleanup } from './cleanup.ts'
import { silentLog } from './silent-log.ts'

export function joinMembers(
  database: Database,
  changes: Partial<Omit<MembershipOptions, 'heartbeats'>> = {},
): Membership {
  const heartbeats = new pg.Pool({
    ...database.options,
    max: 1,
    connectionTimeoutMillis: 2_000,
    query_timeout: 2_000,
  })
  heartbeats.on('error', () => undefined)
  const membership = new Membership({ heartbeats, database, role: 'worker', log: silentLog, ...changes })
  addCleanup(async () => {
    if (membership.state !== 'leaving') await membership.leave()
    await heartbeats.end()
  })
  return membership
}
