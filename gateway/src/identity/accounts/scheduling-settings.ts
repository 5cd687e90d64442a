/** The settings of each account in memory that workers use. */
import type { LaneSetting } from '../../channels/lane.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/logging/log.ts'
import { TableCache } from '../../platform/database/table-cache.ts'
import { accountsVersion } from './queries.ts'

export interface SchedulingSettings {
  readonly lane: LaneSetting | null
  readonly weight: number
  readonly smartEncoding: boolean
}

export type SchedulingSettingsTable = TableCache<ReadonlyMap<number, SchedulingSettings>>

export const defaultSchedulingSettings: SchedulingSettings = { lane: null, weight: 1, smartEncoding: true }

/** Returns the weight of an account on routes where others also wait. */
export function getAccountWeight({ value }: SchedulingSettingsTable, accountId: number): number {
  return (value.get(accountId) ?? defaultSchedulingSettings).weight
}

export function createSchedulingSettingsTable(database: Database, log: Log): SchedulingSettingsTable {
  return new TableCache<ReadonlyMap<number, SchedulingSettings>>(
    {
      what: 'settings of accounts',
      version: () => accountsVersion(database),
      async load() {
        const result = await database.query<SchedulingSettings & { id: number }>(
          'select id, lane, weight, smart_encoding as "smartEncoding" from accounts',
        )
        return new Map(result.rows.map(({ id, ...settings }) => [id, settings]))
      },
    },
    log,
  )
}
