/** Places steps while every route has capacity, for tests of the stages after scheduling. */
import { createSchedulingSettingsTable } from '../../../src/identity/accounts/scheduling-settings.ts'
import type { ConnectorContext } from '../../../src/carriers/connectors/connector.ts'
import type { Database } from '../../../src/platform/database/database.ts'
import type { PlacementContext } from '../../../src/pipeline/scheduling/place.ts'
import { WaitingWatch } from '../../../src/pipeline/scheduling/waiting-watch.ts'
import { createRouter } from '../../../src/carriers/routes/router.ts'
import { RouteStates } from '../../../src/carriers/routes/states.ts'
import { createRouteTable, type RouteTable } from '../../../src/carriers/routes/table.ts'
import type { Policy } from '../../../src/trust/policy.ts'
import { allowEverything } from '../policy.ts'
import { silentLog } from '../silent-log.ts'

export interface TestPlacement extends Omit<PlacementContext, 'topology'> {
  readonly routes: RouteTable
  readonly waitingWatch: WaitingWatch
  readonly openFile: ConnectorContext['openFile']
  readonly policy: Policy
}

export async function openTestPlacement(database: Database): Promise<TestPlacement> {
  const routes = createRouteTable(database, silentLog)
  const schedulingSettings = createSchedulingSettingsTable(database, silentLog)
  await Promise.all([routes.refresh(), schedulingSettings.refresh()])
  const states = new RouteStates(database, silentLog)
  return {
    routes,
    waitingWatch: new WaitingWatch(database, silentLog),
    schedulingSettings,
    getBlock: () => undefined,
    router: createRouter(routes, states),
    states: { reserveCapacity: () => true },
    publisher: { canPublish: true, accepts: () => true },
    openFile: () => Promise.resolve(null),
    policy: allowEverything,
  }
}
