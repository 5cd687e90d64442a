/**
 * All accounts and their credentials in memory (ten thousand are a few megabytes), refreshed every second. Used by the
 * API.
 */
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { TableCache } from '../platform/table-cache.ts'
import type { StoredAccount } from './account.ts'
import type { Credential } from './credential.ts'
import { loadCredentials } from './credential-queries.ts'
import { directoryVersion, loadAccounts } from './queries.ts'

export interface AccountEntry extends StoredAccount {
  /** The newest first. Some may have ended. */
  readonly passwords: readonly Credential[]
}

export interface AccountIndex {
  readonly byId: ReadonlyMap<number, AccountEntry>
  readonly byClientId: ReadonlyMap<string, AccountEntry>
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
        // Credentials first: every one that is found belongs to an account that is found as well.
        const credentials = await loadCredentials(database)
        return indexAccounts(await loadAccounts(database), credentials)
      },
    },
    log,
  )
}

/** `credentials` are in the order of their creation. */
export function indexAccounts(
  accounts: readonly StoredAccount[],
  credentials: readonly Credential[],
): AccountIndex {
  const passwords = new Map<number, Credential[]>()
  for (const credential of credentials) {
    if (credential.kind !== 'password') continue
    const own = passwords.get(credential.accountId)
    if (own === undefined) passwords.set(credential.accountId, [credential])
    else own.unshift(credential)
  }
  const entries = accounts.map((account): AccountEntry => ({
    ...account,
    passwords: passwords.get(account.id) ?? [],
  }))
  return {
    byId: new Map(entries.map((entry) => [entry.id, entry])),
    byClientId: new Map(entries.map((entry) => [entry.clientId, entry])),
    credentials: new Map(credentials.map((credential) => [credential.id, credential])),
    keys: new Map(
      credentials.flatMap((credential) =>
        credential.kind === 'key' ? [[credential.keyId, credential]] : [],
      ),
    ),
  }
}
