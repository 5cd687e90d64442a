/** `postern account set`. */
import { updateSettings } from '../../accounts/queries.ts'
import { changesBetween } from '../../audit/changes.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { LimitSetting } from '../setting-lists.ts'
import { changeSettings, isRecordedWithReason, rightsFor, type SettingsOptions } from './settings.ts'
import { lockServed } from './served.ts'
import { accountJson, describeSettings } from './view.ts'

export async function setAccount(
  invocation: Invocation<LimitSetting>,
  clientId: string,
  options: SettingsOptions,
): Promise<Result> {
  const account = await withDatabase(invocation, (_database, config, audit) =>
    audit.change(async (transaction) => {
      if (isRecordedWithReason(options)) audit.requireReason('a change of limits or of erasure')
      const before = await lockServed(transaction, clientId)
      const after = changeSettings(before, options)
      for (const right of rightsFor(before, after, config)) await audit.requireRight(right)
      await updateSettings(transaction, clientId, after)
      const details = changesBetween(before, after)
      return [
        { ...before, ...after },
        { target: clientId, account: clientId, details },
      ] as const
    }),
  )
  return {
    json: accountJson(account),
    lines: [`${clientId}: ${describeSettings(account)}; running processes follow within two seconds`],
  }
}
