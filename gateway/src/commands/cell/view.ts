/** The map of a cell as the command prints it, over either way. Pure. */
import { FailedError } from '../errors.ts'
import type { Result } from '../result.ts'

export function mapResult(cell: string, clientIds: readonly string[]): Result {
  // A map file separates key and value by white space and begins comments with '#'.
  const unwritable = clientIds.find((clientId) => !/^[^\s#]\S*$/.test(clientId))
  if (unwritable !== undefined)
    throw new FailedError(
      `the client id '${unwritable}' cannot be written into a map file: it must not be empty, contain white space or begin with #; give this customer an account with another client id`,
    )
  const accounts = [...clientIds].sort().map((clientId) => ({ clientId, cell }))
  return {
    json: { cell, accounts },
    lines: accounts.map(({ clientId }) => `${clientId} ${cell}`),
  }
}
