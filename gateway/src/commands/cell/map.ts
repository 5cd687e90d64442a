/** `postern cell map`: the lines of a map file by which a proxy finds the cell of a token request. */
import { loadAccounts } from '../../accounts/queries.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import { mapResult } from './view.ts'

export function printMap(invocation: Invocation<'cell'>): Promise<Result> {
  return withDatabase(invocation, async (database, { cell }) => {
    const accounts = await loadAccounts(database)
    return mapResult(
      cell,
      accounts.map(({ clientId }) => clientId),
    )
  })
}
