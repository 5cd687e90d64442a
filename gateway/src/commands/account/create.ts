/** `postern account create`. The password is printed once; only its hash is stored. */
import { createAccount as create, type CreateOptions } from '../../acts/account-settings.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { NewAccountSetting } from '../setting-lists.ts'
import { createdResult } from './credential-view.ts'

export async function createAccount(
  invocation: Invocation<NewAccountSetting>,
  options: CreateOptions,
): Promise<Result> {
  const created = await withDatabase(invocation, (_database, config, audit) => create(audit, config, options))
  return createdResult(created)
}
