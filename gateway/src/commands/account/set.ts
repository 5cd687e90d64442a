/** `postern account set`. */
import { updateSettings } from '../../accounts/queries.ts'
import { inTransaction } from '../../platform/database.ts'
import { withDatabase } from '../connect.ts'
import type { Result } from '../result.ts'
import { changeSettings, type SettingsOptions } from './settings.ts'
import { lockServed } from './served.ts'
import { accountJson, describeSettings } from './view.ts'

export async function setAccount(clientId: string, options: SettingsOptions): Promise<Result> {
  const account = await withDatabase((database) =>
    inTransaction(database, async (transaction) => {
      const before = await lockServed(transaction, clientId)
      const after = changeSettings(before, options)
      await updateSettings(transaction, clientId, after)
      return { ...before, ...after }
    }),
  )
  return {
    json: accountJson(account),
    lines: [`${clientId}: ${describeSettings(account)}; running processes follow within two seconds`],
  }
}
