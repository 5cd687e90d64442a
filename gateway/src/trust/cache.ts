/**
 * The enabled rules, the settings of accounts and the data of all groups, in memory. One statement per second detects
 * changes, and only changed data is read. While PostgreSQL is unavailable the last copy is used; before the first
 * copy, its use throws a transient error.
 */
import type { Database } from '../platform/database/database.ts'
import type { Log } from '../platform/logging/log.ts'
import { TableCache } from '../platform/database/table-cache.ts'
import { defaultAccountTrust, loadAccountTrust, type AccountTrust } from './accounts.ts'
import type { RuleId } from './rules.ts'
import { readSwitches } from './switches.ts'
import type { RuleGroup, AccountContext } from './rule-group.ts'
import { readVersions, type TrustVersion } from './versions.ts'

export interface TrustState {
  readonly rules: ReadonlySet<RuleId>
  readonly accounts: ReadonlyMap<number, AccountTrust>
}

const fullEveryMs = 3_600_000

export type TrustCache = TableCache<TrustState>

export function createTrustCache(database: Database, groups: readonly RuleGroup[], log: Log): TrustCache {
  let loadedVersions = new Map<string, TrustVersion>()
  let fullAt = performance.now()
  let state: TrustState = { rules: new Set(), accounts: new Map() }
  return new TableCache<TrustState>(
    {
      what: 'trust rules and registered senders',
      version: async () => {
        const versions = JSON.stringify([...(await readVersions(database))])
        return performance.now() - fullAt >= fullEveryMs ? `${versions} again` : versions
      },
      async load() {
        const versions = await readVersions(database)
        const changed = (name: string): boolean =>
          !loadedVersions.has(name) || !isSame(loadedVersions.get(name), versions.get(name))
        // A failover can lose a change that was read here, so everything is read again every hour.
        const isFull = performance.now() - fullAt >= fullEveryMs
        if (isFull || changed('rules')) {
          const on = (await readSwitches(database)).filter(({ enabled }) => enabled)
          state = { ...state, rules: new Set(on.map(({ rule }) => rule)) }
        }
        if (isFull || changed('accounts')) state = { ...state, accounts: await loadAccountTrust(database) }
        for (const group of groups)
          if (isFull || changed(group.name))
            await group.load?.(database, isFull ? undefined : versions.get(group.name)?.version)
        loadedVersions = versions
        if (isFull) fullAt = performance.now()
        return state
      },
    },
    log,
  )
}

function isSame(left: TrustVersion | undefined, right: TrustVersion | undefined): boolean {
  return left?.mark === right?.mark
}

export function getAccountContext(
  { rules, accounts }: TrustState,
  accountId: number,
  now: number,
): AccountContext {
  return { accountId, account: accounts.get(accountId) ?? defaultAccountTrust, rules, now }
}
