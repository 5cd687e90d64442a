/** One transaction over the credentials of an account, which is locked meanwhile. Used by the commands that change them. */
import type { StoredAccount } from '../../accounts/account.ts'
import { CredentialRefused } from '../../accounts/credential-actions.ts'
import { listCredentials, type ListedCredential } from '../../accounts/credential-queries.ts'
import { lockAccount } from '../../accounts/queries.ts'
import type { Config } from '../../platform/config.ts'
import { inTransaction, type Queryable } from '../../platform/database.ts'
import { withDatabase } from '../connect.ts'
import { FailedError } from '../errors.ts'
import { noSuchAccount } from './view.ts'

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
      const account = await lockAccount(transaction, clientId)
      if (account === null) throw noSuchAccount(clientId)
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
