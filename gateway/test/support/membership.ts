/** A member of its own, as every process that owns something has one. */
import pg from 'pg'
import { Membership, type MembershipOptions } from '../../src/platform/membership/membership.ts'
import type { Database } from '../../src/platform/database.ts'
import { atEnd } from './cleanup.ts'
import { quietLog } from './silent-log.ts'

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
  const membership = new Membership({ heartbeats, database, role: 'worker', log: quietLog, ...changes })
  atEnd(async () => {
    if (membership.state !== 'leaving') await membership.leave()
    await heartbeats.end()
  })
  return membership
}
