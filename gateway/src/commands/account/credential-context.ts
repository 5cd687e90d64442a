/** One transaction over an account that this cell serves, locked meanwhile. Used by the commands that replace its credentials. */
import type { StoredAccount } from '../../accounts/account.ts'
import type { Subject } from '../../acts/act-audit.ts'
import { changeAccount as change } from '../../acts/credentials.ts'
import type { Act } from '../../audit/act.ts'
import type { Config } from '../../platform/config.ts'
import type { Transaction } from '../../platform/database.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'

export interface CredentialContext<Key extends keyof Config> {
  readonly transaction: Transaction
  readonly account: StoredAccount
  readonly config: Pick<Config, Key>
  readonly act: Act
}

/** `work` returns its result and what it changed. */
export function changeAccount<T, Key extends keyof Config = never>(
  invocation: Invocation<Key>,
  clientId: string,
  work: (context: CredentialContext<Key>) => Promise<readonly [T, Omit<Subject, 'account'>]>,
): Promise<T> {
  return withDatabase(invocation, (_database, config, audit) =>
    change(audit, clientId, (transaction, account) => work({ transaction, account, config, act: audit.act })),
  )
}
