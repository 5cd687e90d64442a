/** The Grafana dashboards as files. `npm run generate` writes them and checks that they are up to date. */
import { accountsDashboard } from './accounts.ts'
import { enginesDashboard } from './engines.ts'
import { flowDashboard } from './flow.ts'
import { toGrafana, type Dashboard } from './panel.ts'
import { routesDashboard } from './routes.ts'
import { smppClientsDashboard } from './smpp-clients.ts'

export const dashboards: readonly Dashboard[] = [
  flowDashboard,
  routesDashboard,
  accountsDashboard,
  smppClientsDashboard,
  enginesDashboard,
]

export function dashboardFiles(): [path: string, text: string][] {
  return dashboards.map((dashboard) => [
    `deploy/grafana/${dashboard.uid}.json`,
    JSON.stringify(toGrafana(dashboard)),
  ])
}
