/**
 * Guarantees that an act changes an account only in the cell that serves it, and not during the pause of a move, when
 * the change would be lost. Every act that changes something of an account calls it.
 */
import type { StoredAccount } from '../accounts/account.ts'
import { lockAccounts } from '../accounts/queries.ts'
import { inTransaction, type Database, type Queryable } from '../platform/database.ts'
import { FailedError } from './errors.ts'
import { noSuchAccount } from './accounts.ts'

/** Locked until the transaction ends: a move that begins meanwhile waits, and then copies the change. */
export async function lockServed(
  transaction: Queryable,
  clientId: string,
  condition: Condition = 'served',
): Promise<StoredAccount> {
  const [account] = await lockAll(transaction, [clientId], condition)
  return account!
}

/** The work uses connections of its own, and must not change rows of `accounts`, which are locked. */
export function whileServed<T>(
  database: Database,
  clientIds: readonly string[],
  work: (accounts: readonly StoredAccount[]) => Promise<T>,
  condition: Condition = 'served',
): Promise<T> {
  return inTransaction(database, async (transaction) =>
    work(await lockAll(transaction, clientIds, condition)),
  )
}

/**
 * `served or left`: what stops messages is also run in a cell that the account has left, which still sends those that it
 * accepted. `describeLeft` then says that the other cell needs it too.
 */
export type Condition = 'served' | 'served or left'

async function lockAll(
  transaction: Queryable,
  clientIds: readonly string[],
  condition: Condition,
): Promise<readonly StoredAccount[]> {
  const accounts = await lockAccounts(transaction, clientIds)
  const missing = clientIds.find((id) => !accounts.some(({ clientId }) => clientId === id))
  if (missing !== undefined) throw noSuchAccount(missing)
  for (const account of accounts) {
    const refusal = findRefusal(account, condition)
    if (refusal !== null) throw refusal
  }
  return accounts
}

/** Why the account may not be changed here and now; null when it may. */
export function findRefusal(
  { clientId, servedBy, moving }: Pick<StoredAccount, 'clientId' | 'servedBy' | 'moving'>,
  condition: Condition = 'served',
): FailedError | null {
  if (servedBy !== null && condition === 'served')
    return new FailedError(
      `${clientId} is in cell ${servedBy}; run this command with the settings of that cell`,
      `the account ${clientId} is managed at another address now; ask the operator of the gateway for it`,
    )
  if (moving)
    return new FailedError(
      `${clientId} is being moved to another cell; run this command again in a few seconds`,
      `the account ${clientId} is being moved; repeat the request in a few seconds`,
    )
  return null
}
