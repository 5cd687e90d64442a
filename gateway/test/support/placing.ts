/** Places steps while every route has capacity: for tests of the pipeline after the backlog. */
import { createSchedulingSettingsTable } from '../../src/accounts/scheduling-settings.ts'
import type { ConnectorContext } from '../../src/connectors/connector.ts'
import type { Database } from '../../src/platform/database.ts'
import type { PlaceContext } from '../../src/pipeline/scheduling/place.ts'
import { WaitingWatch } from '../../src/pipeline/scheduling/waiting-watch.ts'
import { createRouter } from '../../src/routes/router.ts'
import { RouteStates } from '../../src/routes/states.ts'
import { createRouteTable, type RouteTable } from '../../src/routes/table.ts'
import type { Policy } from '../../src/trust/policy.ts'
import { allowEverything } from './policy.ts'
import { quietLog } from './silent-log.ts'

export interface Placing extends Omit<PlaceContext, 'topology'> {
  readonly routes: RouteTable
  readonly waitingWatch: WaitingWatch
  readonly openFile: ConnectorContext['openFile']
  readonly policy: Policy
}

export async function openPlacing(database: Database): Promise<Placing> {
  const routes = createRouteTable(database, quietLog)
  const schedulingSettings = createSchedulingSettingsTable(database, quietLog)
  await Promise.all([routes.refresh(), schedulingSettings.refresh()])
  const states = new RouteStates(database, quietLog)
  return {
    routes,
    waitingWatch: new WaitingWatch(database, quietLog),
    schedulingSettings,
    stopOf: () => undefined,
    router: createRouter(routes, states),
    states: { reserveCapacity: () => true },
    publisher: { canPublish: true, accepts: () => true },
    openFile: () => Promise.resolve(null),
    policy: allowEverything,
  }
}
