/** One transaction over an account that this cell serves, locked meanwhile. Used by the commands that change it or its credentials. */
import type { StoredAccount } from '../../accounts/account.ts'
import { CredentialRefused } from '../../accounts/credential-actions.ts'
import { listCredentials, type ListedCredential } from '../../accounts/credential-queries.ts'
import type { Config } from '../../platform/config.ts'
import { inTransaction, type Queryable } from '../../platform/database.ts'
import { withDatabase } from '../connect.ts'
import { FailedError } from '../errors.ts'
import { lockServed } from './served.ts'

export interface CredentialContext {
  readonly transaction: Queryable
  readonly account: StoredAccount
  readonly config: Config
}

export function withAccount<T>(
  clientId: string,
  work: (context: CredentialContext) => Promise<T>,
): Promise<T> {
  return withDatabase((database, config) =>
    inTransaction(database, async (transaction) => {
      const account = await lockServed(transaction, clientId)
      try {
        return await work({ transaction, account, config })
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
