/** `postern route enable`, `pause`, `drain`, `disable`, `rate` and `delete`: each says what happens to the steps that are on the route. */
import { removeRoute as deleteRoute } from '../../acts/put-route.ts'
import { effects } from '../../acts/route-effects.ts'
import { closeRoute, noSuchRoute, setEnabled, setRate } from '../../acts/routes.ts'
import type { Database } from '../../platform/database.ts'
import { countWaiting } from '../../records/waiting/waiting.ts'
import { loadRouteRules } from '../../routes/queries.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'

const following = 'running workers follow within two seconds'

export function enableRoute(invocation: Invocation, id: string): Promise<Result> {
  return withDatabase(invocation, async (database, _config, audit) => {
    const { waiting } = await setEnabled(database, audit, id, true)
    return {
      json: { id, enabled: true, waiting },
      lines: [`route ${id} enabled; ${following}`, `${steps(waiting)} for it and will be sent.`],
    }
  })
}

export function disableRoute(invocation: Invocation, id: string): Promise<Result> {
  return withDatabase(invocation, async (database, _config, audit) => {
    const { waiting } = await setEnabled(database, audit, id, false)
    return {
      json: { id, enabled: false, waiting },
      lines: [
        `route ${id} disabled; ${following}`,
        `${steps(waiting)} for it, besides those in its queues. All of them move to other routes that serve them; the rest waits until the route is enabled again or their deadline passes.`,
        'Steps that were submitted stay with it. Their receipts arrive only while it is linked.',
      ],
    }
  })
}

/** It keeps its link; `enable` opens it again. */
export function stopTraffic(invocation: Invocation, id: string, verb: 'pause' | 'drain'): Promise<Result> {
  return withDatabase(invocation, async (database, _config, audit) => {
    const traffic = verb === 'pause' ? 'paused' : 'draining'
    const { waiting } = await closeRoute(database, audit, id, traffic)
    return {
      json: { id, traffic, waiting },
      lines: [`route ${id} is ${traffic}; ${following}`, `${steps(waiting)} for it. ${effects[verb]}`],
    }
  })
}

export function changeRate(invocation: Invocation, id: string, partsPerSecond: number): Promise<Result> {
  return withDatabase(invocation, async (_database, _config, audit) => {
    const { before } = await setRate(audit, id, partsPerSecond)
    return {
      json: { id, partsPerSecond, before },
      lines: [`route ${id} had ${before} parts per second and has ${partsPerSecond} now; ${effects.rate}`],
    }
  })
}

export function removeRoute(
  invocation: Invocation,
  id: string,
  { dryRun = false }: { readonly dryRun?: boolean },
): Promise<Result> {
  return withDatabase(invocation, async (database, _config, audit) => {
    await requireRoute(database, id)
    if (dryRun) audit.unchanged()
    const { waiting } = dryRun
      ? { waiting: await countWaiting(database, id) }
      : await deleteRoute(database, audit, id)
    return {
      json: { id, deleted: !dryRun, waiting },
      lines: [
        dryRun ? `route ${id} would be deleted` : `route ${id} deleted; ${following}`,
        `${steps(waiting)} for it, besides those in its queues. All of them move to other routes that serve them; the rest fails because no route serves it. Its queues are deleted when they are empty.`,
      ],
    }
  })
}

async function requireRoute(database: Database, id: string): Promise<void> {
  if (!(await loadRouteRules(database)).some((route) => route.id === id)) throw noSuchRoute(id)
}

function steps(count: number): string {
  return count === 1 ? '1 step waits' : `${count} steps wait`
}
