/** One transaction over an account that this cell serves, locked meanwhile. Used by the commands that change it or its credentials. */
import type { Act } from '../../audit/act.ts'
import type { StoredAccount } from '../../accounts/account.ts'
import { CredentialRefused } from '../../accounts/credential-actions.ts'
import { listCredentials, type ListedCredential } from '../../accounts/credential-queries.ts'
import type { Config } from '../../platform/config.ts'
import type { Transaction, Queryable } from '../../platform/database.ts'
import type { Subject } from '../command-audit.ts'
import { withDatabase } from '../connect.ts'
import { FailedError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import { lockServed } from './served.ts'

export interface CredentialContext<Key extends keyof Config> {
  readonly transaction: Transaction
  readonly account: StoredAccount
  readonly config: Pick<Config, Key>
  readonly act: Act
}

/** `work` returns its result and what it changed. */
export function changeAccount<T, Key extends keyof Config = never>(
  invocation: Invocation<Key>,
  clientId: string,
  work: (context: CredentialContext<Key>) => Promise<readonly [T, Omit<Subject, 'account'>]>,
): Promise<T> {
  return withDatabase(invocation, (_database, config, audit) =>
    audit.change(async (transaction) => {
      const account = await lockServed(transaction, clientId)
      try {
        const [result, subject] = await work({ transaction, account, config, act: audit.act })
        return [result, { ...subject, account: clientId }] as const
      } catch (error) {
        throw error instanceof CredentialRefused ? new FailedError(error.message) : error
      }
    }),
  )
}

export async function requireCredential(
  transaction: Queryable,
  account: StoredAccount,
  keyId: string,
): Promise<ListedCredential> {
  const credentials = await listCredentials(transaction, account.id)
  const found = credentials.find((candidate) => candidate.keyId === keyId)
  if (found !== undefined) return found
  throw new FailedError(
    `account '${account.clientId}' has no key '${keyId}'; \`postern account key list ${account.clientId}\` lists them`,
  )
}
