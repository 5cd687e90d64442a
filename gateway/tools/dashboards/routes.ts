import type { Dashboard } from './panel.ts'
import { largest, quantile, rate, total } from './queries.ts'

const route = 'route=~"$route"'
const outcomes = 'postern_submit_outcomes_total'

export const routesDashboard: Dashboard = {
  uid: 'postern-routes',
  title: 'Postern: routes',
  description:
    'Which carrier is slow, rejects messages or does not respond? `postern route list` shows the current state.',
  variables: [{ name: 'route', metric: outcomes }],
  panels: [
    {
      title: 'Which route has no link?',
      description:
        '1 means linked, 0 that its owner tries to connect. Without a curve, no worker owns the route.',
      queries: [
        { expr: largest('postern_route_linked', 'route, share', route), legend: '{{route}} {{share}}' },
      ],
      unit: 'none',
    },
    {
      title: 'Which route carries how much?',
      description: 'Parts that carriers accepted. A route that falls to 0 while others rise has failed over.',
      queries: [{ expr: rate(outcomes, 'route', `outcome="accepted",${route}`), legend: '{{route}}' }],
      unit: 'msg/s',
      stacked: true,
    },
    {
      title: 'Which route is slow?',
      description:
        "99th percentile of the carrier's response time. A point is the trace of one message if tracing is on.",
      queries: [
        { expr: quantile(0.99, 'postern_submit_duration_seconds', 'route', route), legend: '{{route}}' },
      ],
      unit: 's',
      exemplars: true,
    },
    {
      title: 'Which route fails?',
      description:
        'Share of the submissions that were not accepted. refused: content, number or account. unknown: the response timed out. throttled: faster than the carrier allows. unreachable: no link.',
      queries: [
        {
          expr: `${rate(outcomes, 'route, outcome', `outcome!="accepted",${route}`)} / on (route) group_left () ${rate(outcomes, 'route', route)}`,
          legend: '{{route}} {{outcome}}',
        },
      ],
      unit: 'percentunit',
    },
    {
      title: 'Which route is throttled?',
      description:
        "Parts per second that the route may send, derived from the carrier's throttling; 0 means no limit.",
      queries: [{ expr: total('postern_route_rate_limit', 'route', route), legend: '{{route}}' }],
      unit: 'msg/s',
    },
    {
      title: 'What is retried?',
      description: 'Failed submissions that are retried on the same route.',
      queries: [{ expr: rate('postern_submit_retries_total', 'route', route), legend: '{{route}}' }],
      unit: 'msg/s',
    },
    {
      title: 'Which other events do links report?',
      description:
        'Events other than outcomes and receipts. account-refused, agent-refused, channel-refused: PosternRouteAccountRefused.',
      queries: [
        {
          expr: rate('postern_connector_events_total', 'route, event', route),
          legend: '{{route}} {{event}}',
        },
      ],
      unit: 'msg/s',
    },
    {
      title: 'What do carriers send over HTTP?',
      description:
        '401: a wrong signature or secret. 503: receipts that could not be stored; the carrier sends them again.',
      queries: [
        {
          expr: rate('postern_inbound_requests_total', 'route, status', route),
          legend: '{{route}} {{status}}',
        },
      ],
      unit: 'msg/s',
    },
    {
      title: 'Do recipients reply?',
      description: 'Replies of recipients by result. unassigned: no account has the number, or several have.',
      queries: [
        { expr: rate('postern_replies_total', 'route, result', route), legend: '{{route}} {{result}}' },
      ],
      unit: 'msg/s',
    },
  ],
}
