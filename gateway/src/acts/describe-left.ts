/** What an operator must know about an account that another cell serves. Pure. */
import type { StoredAccount } from '../accounts/account.ts'

/** Lines for the operator. */
export function describeLeft({ clientId, servedBy }: Pick<StoredAccount, 'clientId' | 'servedBy'>): string[] {
  return servedBy === null
    ? []
    : [
        `${clientId} is in cell ${servedBy}: this stops only what this cell still sends; run the command with the settings of cell ${servedBy} too`,
      ]
}
