/** `postern route show`: every setting of one route, to read it back, and its state. Secrets are masked, defaults are marked. */
import { listRoutes } from '../../acts/list-routes.ts'
import { noSuchRoute } from '../../acts/routes.ts'
import { showOptions } from '../../connectors/describe.ts'
import { withSecrets } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { SecretSetting } from '../setting-lists.ts'
import { findRoute } from './find-route.ts'
import { settingsResult } from './view.ts'

export function showRoute(invocation: Invocation<SecretSetting>, id: string): Promise<Result> {
  return withSecrets(invocation, async (database, _config, cipher) => {
    const { protocol, options } = await findRoute(database, cipher, id)
    const listed = (await listRoutes(database)).find(({ route }) => route.id === id)
    if (listed === undefined) throw noSuchRoute(id)
    const { route, ...state } = listed
    return settingsResult({ ...route, ...state }, showOptions(protocol, options))
  })
}
