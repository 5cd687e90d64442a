/** `postern route show`: every setting of one route, to read it back. Secrets are masked, defaults are marked. */
import { loadAccounts } from '../../accounts/queries.ts'
import { showOptions } from '../../connectors/show-options.ts'
import type { Queryable } from '../../platform/database.ts'
import { withSecrets } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { SecretSetting } from '../setting-lists.ts'
import { findRoute } from './find-route.ts'
import { settingsResult } from './view.ts'

export async function showRoute(invocation: Invocation<SecretSetting>, id: string): Promise<Result> {
  const [route, accounts] = await withSecrets(invocation, async (database, _config, cipher) => {
    const found = await findRoute(database, cipher, id)
    return [found, await namesOf(database, found.accounts)] as const
  })
  return settingsResult({ ...route, accounts }, showOptions(route.protocol, route.options))
}

async function namesOf(database: Queryable, ids: readonly number[]): Promise<string[]> {
  if (ids.length === 0) return []
  const accounts = await loadAccounts(database)
  const names = new Map(accounts.map((account) => [account.id, account.clientId]))
  return ids.map((id) => names.get(id) ?? `account ${id}`)
}
