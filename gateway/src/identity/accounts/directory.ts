/** All accounts and their credentials in memory, refreshed every second. */
import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/logging/log.ts'
import { TableCache } from '../../platform/database/table-cache.ts'
import { getSystemId, type Account } from './account.ts'
import type { Credential } from './credential.ts'
import { loadCredentials } from './credential-queries.ts'
import { directoryVersion, loadAccounts } from './queries.ts'

export interface AccountEntry extends Account {
  /** Newest first. Some may have expired. */
  readonly passwords: readonly Credential[]
  /** Passwords for SMPP binds, newest first. */
  readonly smppPasswords: readonly Credential[]
}

export interface AccountIndex {
  readonly byId: ReadonlyMap<number, AccountEntry>
  readonly byClientId: ReadonlyMap<string, AccountEntry>
  /** Accounts that may bind over SMPP. */
  readonly bySystemId: ReadonlyMap<string, AccountEntry>
  readonly credentials: ReadonlyMap<number, Credential>
  readonly keys: ReadonlyMap<string, Credential>
}

export type AccountDirectory = TableCache<AccountIndex>

export function createAccountDirectory(database: Database, log: Log): AccountDirectory {
  return new TableCache<AccountIndex>(
    {
      what: 'accounts',
      version: () => directoryVersion(database),
      async load() {
        // Load credentials first, so that the account of each is also found.
        const credentials = await loadCredentials(database)
        return indexAccounts(await loadAccounts(database), credentials)
      },
    },
    log,
  )
}

/** `credentials` must be in the order of creation. */
export function indexAccounts(
  accounts: readonly Account[],
  credentials: readonly Credential[],
): AccountIndex {
  const passwords = newestFirst(credentials, 'password')
  const smppPasswords = newestFirst(credentials, 'smpp')
  const entries = accounts.map((account): AccountEntry => ({
    ...account,
    passwords: passwords.get(account.id) ?? [],
    smppPasswords: smppPasswords.get(account.id) ?? [],
  }))
  return {
    byId: new Map(entries.map((entry) => [entry.id, entry])),
    byClientId: new Map(entries.map((entry) => [entry.clientId, entry])),
    bySystemId: new Map(
      entries.flatMap((entry) => {
        const systemId = entry.smppBinds === 0 ? null : getSystemId(entry)
        return systemId === null ? [] : [[systemId, entry]]
      }),
    ),
    credentials: new Map(credentials.map((credential) => [credential.id, credential])),
    keys: new Map(
      credentials.flatMap((credential) =>
        credential.kind === 'key' ? [[credential.keyId, credential]] : [],
      ),
    ),
  }
}

/** Groups the credentials of a kind by account, newest first. */
function newestFirst(
  credentials: readonly Credential[],
  kind: Credential['kind'],
): ReadonlyMap<number, Credential[]> {
  const newest = credentials.filter((credential) => credential.kind === kind).toReversed()
  return Map.groupBy(newest, ({ accountId }) => accountId)
}
