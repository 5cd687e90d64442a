/** A member of its own, as every process that owns something has one. */
import pg from 'pg'
import { Membership, type MembershipOptions } from '../../src/platform/membership/membership.ts'
import type { Database } from '../../src/platform/database.ts'
import { atEnd } from './cleanup.ts'
import { quietLog } from './silent-log.ts'

export function joinMembers(
  { options }: Database,
  changes: Partial<Omit<MembershipOptions, 'database'>> = {},
): Membership {
  const database = new pg.Pool({ ...options, max: 1, connectionTimeoutMillis: 2_000, query_timeout: 2_000 })
  database.on('error', () => undefined)
  const membership = new Membership({ database, role: 'worker', log: quietLog, ...changes })
  atEnd(async () => {
    if (membership.state !== 'leaving') await membership.leave()
    await database.end()
  })
  return membership
}
