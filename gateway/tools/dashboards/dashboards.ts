/** The dashboards of Grafana, as files. `npm run generate` writes them and checks that they are up to date. */
import { accounts } from './accounts.ts'
import { engines } from './engines.ts'
import { flow } from './flow.ts'
import { toGrafana, type Dashboard } from './panel.ts'
import { routes } from './routes.ts'
import { smppClients } from './smpp-clients.ts'

export const dashboards: readonly Dashboard[] = [flow, routes, accounts, smppClients, engines]

export function dashboardFiles(): [path: string, text: string][] {
  return dashboards.map((dashboard) => [
    `deploy/grafana/${dashboard.uid}.json`,
    JSON.stringify(toGrafana(dashboard)),
  ])
}
