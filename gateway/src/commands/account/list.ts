/** `postern account list` and `postern account show`. */
import type { StoredAccount } from '../../accounts/account.ts'
import { loadAccounts } from '../../accounts/queries.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import { table, type Result } from '../result.ts'
import { accountJson, noSuchAccount, settingRows } from './view.ts'

export async function listAccounts(invocation: Invocation): Promise<Result> {
  const accounts = await withDatabase(invocation, (database) => loadAccounts(database))
  accounts.sort((left, right) => left.id - right.id)
  const rows = accounts.map((account) => [account.clientId, stateOf(account), account.name])
  return {
    json: { accounts: accounts.map(accountJson) },
    lines: table([['client id', 'state', 'name'], ...rows]),
  }
}

export async function showAccount(invocation: Invocation, clientId: string): Promise<Result> {
  const accounts = await withDatabase(invocation, (database) => loadAccounts(database))
  const account = accounts.find((candidate) => candidate.clientId === clientId)
  if (account === undefined) throw noSuchAccount(clientId)
  const rows = [
    ['client id', clientId],
    ['name', account.name],
    ['state', stateOf(account)],
    ...settingRows(account),
  ]
  return { json: accountJson(account), lines: table(rows) }
}

function stateOf({ blocked, servedBy }: Pick<StoredAccount, 'blocked' | 'servedBy'>): string {
  if (servedBy !== null) return `in cell ${servedBy}`
  return blocked ? 'blocked' : 'active'
}
