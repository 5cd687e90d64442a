import type { Dashboard } from './panel.ts'
import { rate, total } from './queries.ts'

const connections = 'postern_smpp_server_connections'
const binds = 'postern_smpp_server_binds_total'
const submits = 'postern_smpp_server_submits_total'
const deliveries = 'postern_smpp_server_deliveries_total'

export const smppClientsDashboard: Dashboard = {
  uid: 'postern-smpp-clients',
  title: 'Postern: SMPP clients',
  description: 'Can SMPP clients bind, send and receive? docs/reference/smpp.md explains the statuses.',
  panels: [
    {
      title: 'Are clients bound?',
      description:
        'Connections to the SMPP servers of all processes. Many unbound ones are a flood or clients with a wrong password; the limit is 200 per process.',
      queries: [{ expr: total(connections, 'state'), legend: '{{state}}' }],
      unit: 'short',
      stacked: true,
    },
    {
      title: 'Are binds shared between processes?',
      description: 'Bound connections by process. If a process has none, check the load balancer.',
      queries: [{ expr: total(connections, 'instance', 'state="bound"'), legend: '{{instance}}' }],
      unit: 'short',
      stacked: true,
    },
    {
      title: 'Are binds refused?',
      description:
        'Binds by command_status. ESME_RINVPASWD: a wrong system_id or password. ESME_RALYBND: more binds than `--smpp-binds` allows. ESME_RSYSERR: the credentials could not be checked.',
      queries: [{ expr: rate(binds, 'status'), legend: '{{status}}' }],
      unit: 'short',
    },
    {
      title: 'Are submits accepted?',
      description:
        'submit_sm by command_status of the response. ESME_RTHROTTLED: above the limit or the share of the account. ESME_RSYSERR: the broker or PostgreSQL is unavailable.',
      queries: [{ expr: rate(submits, 'status'), legend: '{{status}}' }],
      unit: 'msg/s',
      stacked: true,
    },
    {
      title: 'Which share of submits is rejected temporarily?',
      description: 'Share of all submits. Clients retry them, so a share that stays high is wasted load.',
      queries: [
        {
          expr: `${rate(submits, 'status', 'status=~"ESME_RTHROTTLED|ESME_RSYSERR"')} / ignoring (status) group_left () ${rate(submits)}`,
          legend: '{{status}}',
        },
      ],
      unit: 'percentunit',
    },
    {
      title: 'Do receipts and replies arrive?',
      description:
        'deliver_sm by kind and result. repeated: the bind was lost, or the client throttles. refused: rejected permanently or never acknowledged; receipts are sent again for three days.',
      queries: [{ expr: rate(deliveries, 'kind, result'), legend: '{{kind}}, {{result}}' }],
      unit: 'msg/s',
      stacked: true,
    },
  ],
}
