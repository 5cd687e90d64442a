/** All accounts in memory (ten thousand are a few megabytes), refreshed every second. Used by the API. */
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { TableCache } from '../platform/table-cache.ts'
import type { AccountCredentials } from './account.ts'
import { accountsVersion, loadAccounts } from './queries.ts'

export interface AccountIndex {
  readonly byId: ReadonlyMap<number, AccountCredentials>
  readonly byClientId: ReadonlyMap<string, AccountCredentials>
}

export type AccountDirectory = TableCache<AccountIndex>

export function createAccountDirectory(database: Database, log: Log): AccountDirectory {
  return new TableCache<AccountIndex>(
    {
      what: 'accounts',
      version: () => accountsVersion(database),
      async load() {
        const accounts = await loadAccounts(database)
        return {
          byId: new Map(accounts.map((account) => [account.id, account])),
          byClientId: new Map(accounts.map((account) => [account.clientId, account])),
        }
      },
    },
    log,
  )
}
