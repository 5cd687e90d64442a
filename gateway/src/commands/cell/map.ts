/** `postern cell map`: the lines of a map file by which a proxy finds the cell of a token request. */
import { loadAccounts } from '../../accounts/queries.ts'
import { withDatabase } from '../connect.ts'
import { FailedError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'

export function printMap(invocation: Invocation<'cell'>): Promise<Result> {
  return withDatabase(invocation, async (database, { cell }) => {
    const accounts = (await loadAccounts(database))
      .filter(({ servedBy }) => servedBy === null)
      .map(({ clientId }) => ({ clientId, cell }))
    // A map file separates key and value by white space and begins comments with '#'.
    const odd = accounts.find(({ clientId }) => !/^[^\s#]\S*$/.test(clientId))
    if (odd !== undefined)
      throw new FailedError(
        `the client id '${odd.clientId}' cannot be written into a map file: it must not be empty, contain white space or begin with #; give this customer an account with another client id`,
      )
    accounts.sort((left, right) => (left.clientId < right.clientId ? -1 : 1))
    return {
      json: { cell, accounts },
      lines: accounts.map(({ clientId, cell: own }) => `${clientId} ${own}`),
    }
  })
}
