/** What a client may still do while its account is blocked: read, revoke what could be misused, and sign out. Pure. */
import type { OwnAccount } from '../operators/queries.ts'
import type { AdminOperation } from './operation.ts'
import { OperationError } from '../acts/errors.ts'

/** Throws for a change that must wait until the account is unblocked. */
export function requireUnblocked(
  { clientWhileBlocked = false }: Pick<AdminOperation, 'clientWhileBlocked'>,
  { clientId, blocked }: OwnAccount,
): void {
  if (blocked && !clientWhileBlocked)
    throw new OperationError(
      'account-blocked',
      `account '${clientId}' is blocked: you can read, revoke keys, passwords and tokens, and sign out; ask the operator of the gateway to unblock it, then repeat the request`,
    )
}
