/** `postern account list` and `postern account show`. */
import { loadAccounts } from '../../accounts/queries.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import { accountResult, accountsResult, noSuchAccount } from './view.ts'

export async function listAccounts(invocation: Invocation): Promise<Result> {
  const accounts = await withDatabase(invocation, (database) => loadAccounts(database))
  return accountsResult(accounts.sort((left, right) => left.id - right.id))
}

export async function showAccount(invocation: Invocation, clientId: string): Promise<Result> {
  const accounts = await withDatabase(invocation, (database) => loadAccounts(database))
  const account = accounts.find((candidate) => candidate.clientId === clientId)
  if (account === undefined) throw noSuchAccount(clientId)
  return accountResult(account)
}
