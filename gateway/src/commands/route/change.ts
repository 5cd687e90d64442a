/** `postern route enable`, `pause`, `drain`, `disable`, `rate` and `delete`: each says what happens to the steps that are on the route. */
import { removeRoute as deleteRoute } from '../../acts/put-route.ts'
import { closeRoute, noSuchRoute, setEnabled, setRate } from '../../acts/routes.ts'
import type { Database } from '../../platform/database.ts'
import { countWaiting } from '../../records/waiting/count-waiting.ts'
import { loadRouteRules } from '../../routes/queries.ts'
import { withDatabase, withSecrets } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { SecretSetting } from '../setting-lists.ts'
import {
  closedResult,
  deletedResult,
  disabledResult,
  enabledResult,
  rateResult,
  trafficOf,
} from './change-view.ts'

export function enableRoute(invocation: Invocation, id: string): Promise<Result> {
  return withDatabase(invocation, async (database, _config, audit) => {
    const { waiting } = await setEnabled(database, audit, id, true)
    return enabledResult(id, waiting)
  })
}

export function disableRoute(invocation: Invocation, id: string): Promise<Result> {
  return withDatabase(invocation, async (database, _config, audit) => {
    const { waiting } = await setEnabled(database, audit, id, false)
    return disabledResult(id, waiting)
  })
}

/** It keeps its link; `enable` opens it again. */
export function stopTraffic(invocation: Invocation, id: string, verb: 'pause' | 'drain'): Promise<Result> {
  return withDatabase(invocation, async (database, _config, audit) => {
    const { waiting } = await closeRoute(database, audit, id, trafficOf[verb])
    return closedResult(id, verb, waiting)
  })
}

export function changeRate(invocation: Invocation, id: string, partsPerSecond: number): Promise<Result> {
  return withDatabase(invocation, async (_database, _config, audit) => {
    const { before } = await setRate(audit, id, partsPerSecond)
    return rateResult(id, partsPerSecond, before)
  })
}

export function removeRoute(
  invocation: Invocation<SecretSetting>,
  id: string,
  { dryRun = false }: { readonly dryRun?: boolean },
): Promise<Result> {
  return withSecrets(invocation, async (database, _config, cipher, audit) => {
    await requireRoute(database, id)
    if (dryRun) audit.unchanged()
    const { waiting } = dryRun
      ? { waiting: await countWaiting(database, id) }
      : await deleteRoute(database, audit, cipher, id)
    return deletedResult(id, !dryRun, waiting)
  })
}

async function requireRoute(database: Database, id: string): Promise<void> {
  if (!(await loadRouteRules(database)).some((route) => route.id === id)) throw noSuchRoute(id)
}
