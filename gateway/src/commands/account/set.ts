/** `postern account set`. */
import { setAccount as setSettings, type SettingsOptions } from '../../acts/account-settings.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { LimitSetting } from '../setting-lists.ts'
import { changedResult } from './credential-view.ts'

export async function setAccount(
  invocation: Invocation<LimitSetting>,
  clientId: string,
  options: SettingsOptions,
): Promise<Result> {
  const account = await withDatabase(invocation, (_database, config, audit) =>
    setSettings(audit, config, clientId, options),
  )
  return changedResult(account)
}
