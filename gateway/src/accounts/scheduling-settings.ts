/** The lane and weight of each account in memory, for scheduling. */
import type { UsualLane } from '../channels/lane.ts'
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { TableCache } from '../platform/table-cache.ts'
import { accountsVersion } from './queries.ts'

export interface SchedulingSettings {
  readonly lane: UsualLane | null
  readonly weight: number
}

export type SchedulingSettingsTable = TableCache<ReadonlyMap<number, SchedulingSettings>>

export const defaultSchedulingSettings: SchedulingSettings = { lane: null, weight: 1 }

/** The share of an account where others wait too. */
export function weightOf({ value }: SchedulingSettingsTable, accountId: number): number {
  return (value.get(accountId) ?? defaultSchedulingSettings).weight
}

export function createSchedulingSettingsTable(database: Database, log: Log): SchedulingSettingsTable {
  return new TableCache<ReadonlyMap<number, SchedulingSettings>>(
    {
      what: 'lanes and weights of accounts',
      version: () => accountsVersion(database),
      async load() {
        const result = await database.query<SchedulingSettings & { id: number }>(
          'select id, lane, weight from accounts',
        )
        return new Map(result.rows.map(({ id, ...settings }) => [id, settings]))
      },
    },
    log,
  )
}
