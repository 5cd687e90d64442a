/** Can clients that speak SMPP bind, send, and receive? */
import type { Dashboard } from './panel.ts'
import { rate, total } from './queries.ts'

const connections = 'postern_smpp_server_connections'
const binds = 'postern_smpp_server_binds_total'
const submits = 'postern_smpp_server_submits_total'
const deliveries = 'postern_smpp_server_deliveries_total'

export const smppClients: Dashboard = {
  uid: 'postern-smpp-clients',
  title: 'Postern: SMPP clients',
  description:
    'Can clients that speak SMPP bind, send, and receive? The statuses are those of docs/smpp-server.md.',
  panels: [
    {
      title: 'Are clients bound?',
      description:
        'Connections to the SMPP servers of all processes. Many unbound ones: a flood, or clients with a wrong password; 200 in a process are the limit.',
      queries: [{ expr: total(connections, 'state'), legend: '{{state}}' }],
      ...{ unit: 'short', stacked: true },
    },
    {
      title: 'Are binds shared between processes?',
      description: 'Bound connections by process. One without any takes no part: ask the load balancer.',
      queries: [{ expr: total(connections, 'instance', 'state="bound"'), legend: '{{instance}}' }],
      ...{ unit: 'short', stacked: true },
    },
    {
      title: 'Are binds refused?',
      description:
        'Binds by command_status. ESME_RINVPASWD: a wrong system_id or password. ESME_RALYBND: more binds than `--smpp-binds` allows. ESME_RSYSERR: they could not be checked.',
      queries: [{ expr: rate(binds, 'status'), legend: '{{status}}' }],
      unit: 'short',
    },
    {
      title: 'Are submits accepted?',
      description:
        'submit_sm by command_status of the answer. ESME_RTHROTTLED: above the limit or the share of the account. ESME_RSYSERR: the broker or PostgreSQL is unavailable.',
      queries: [{ expr: rate(submits, 'status'), legend: '{{status}}' }],
      ...{ unit: 'msg/s', stacked: true },
    },
    {
      title: 'Which share of submits is refused for now?',
      description:
        'Of all submits. Clients send them again, so that a share that stays high is load without effect.',
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
        'deliver_sm by kind and result. repeated: the bind was lost, or the client asks for less. refused: refused for good or never answered; receipts come again for three days.',
      queries: [{ expr: rate(deliveries, 'kind, result'), legend: '{{kind}}, {{result}}' }],
      ...{ unit: 'msg/s', stacked: true },
    },
  ],
}
