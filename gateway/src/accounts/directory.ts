/**
 * All accounts and their credentials in memory (ten thousand are a few megabytes), refreshed every second. Used by the
 * API.
 */
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { TableCache } from '../platform/table-cache.ts'
import { systemIdOf, type Account } from './account.ts'
import type { Credential } from './credential.ts'
import { loadCredentials } from './credential-queries.ts'
import { directoryVersion, loadAccounts } from './queries.ts'

export interface AccountEntry extends Account {
  /** The newest first. Some may have ended. */
  readonly passwords: readonly Credential[]
  /** The same for binds over SMPP. */
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
        const systemId = entry.smppBinds === 0 ? null : systemIdOf(entry)
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

/** By account. */
function newestFirst(
  credentials: readonly Credential[],
  kind: Credential['kind'],
): ReadonlyMap<number, Credential[]> {
  const found = new Map<number, Credential[]>()
  for (const credential of credentials) {
    if (credential.kind !== kind) continue
    const own = found.get(credential.accountId)
    if (own === undefined) found.set(credential.accountId, [credential])
    else own.unshift(credential)
  }
  return found
}
