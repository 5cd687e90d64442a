/** What the road needs to know of accounts: their usual lane and their weight, in memory. */
import type { Lane } from '../channels/lane.ts'
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { TableCache } from '../platform/table-cache.ts'
import { accountsVersion } from './queries.ts'

export interface AccountTraffic {
  readonly lane: Lane | null
  readonly weight: number
}

export type TrafficTable = TableCache<ReadonlyMap<number, AccountTraffic>>

export const plainTraffic: AccountTraffic = { lane: null, weight: 1 }

export function createTrafficTable(database: Database, log: Log): TrafficTable {
  return new TableCache<ReadonlyMap<number, AccountTraffic>>(
    {
      what: 'lanes and weights of accounts',
      version: () => accountsVersion(database),
      async load() {
        const result = await database.query<AccountTraffic & { id: number }>(
          'select id, lane, weight from accounts',
        )
        return new Map(result.rows.map(({ id, ...traffic }) => [id, traffic]))
      },
    },
    log,
  )
}
