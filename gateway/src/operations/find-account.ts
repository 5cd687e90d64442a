import type { Account } from '../identity/accounts/account.ts'
import { findAccountId, findAccounts, lockAccount as lock } from '../identity/accounts/queries.ts'
import type { Queryable } from '../platform/database/database.ts'
import { notFound, type OperationError } from './errors.ts'

export async function requireAccountId(database: Queryable, clientId: string): Promise<number> {
  const id = await findAccountId(database, clientId)
  if (id === null) throw noSuchAccount(clientId)
  return id
}

/** Locks the account until the transaction ends, so that concurrent changes do not overwrite each other. */
export async function lockAccount(transaction: Queryable, clientId: string): Promise<Account> {
  const account = await lock(transaction, clientId)
  if (account === null) throw noSuchAccount(clientId)
  return account
}

export async function requireAccounts(
  database: Queryable,
  clientIds: readonly string[],
): Promise<readonly Account[]> {
  const accounts = await findAccounts(database, clientIds)
  const missing = clientIds.find((id) => !accounts.some(({ clientId }) => clientId === id))
  if (missing !== undefined) throw noSuchAccount(missing)
  return accounts
}

export function noSuchAccount(clientId: string): OperationError {
  return notFound('account', clientId)
}
