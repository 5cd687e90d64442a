import type { Dashboard } from './panel.ts'
import { inHour, largest, latency, rate, total } from './queries.ts'

export const accountsDashboard: Dashboard = {
  uid: 'postern-accounts',
  title: 'Postern: accounts and webhooks',
  description:
    'Which accounts send most, are limited, or have a webhook that fails? `postern account list` and `postern webhook list` have the names.',
  panels: [
    {
      title: 'Which account sends most?',
      description:
        'The busiest accounts have a curve by id, at most 50 per process; the others share the curve "other".',
      queries: [
        { expr: `topk(10, ${rate('postern_account_messages_total', 'account')})`, legend: '{{account}}' },
      ],
      unit: 'msg/s',
      stacked: true,
    },
    {
      title: 'Are accounts refused?',
      description:
        'Send requests above the share of their account (429), by lane. The account that sends most is on the left; limit it with `postern account set ID --limits-send N --reason …`.',
      queries: [
        { expr: rate('postern_sends_refused_total', 'lane', 'reason="share"'), legend: '{{lane}}' },
        { expr: rate('postern_http_responses_total', '', 'status="429"'), legend: 'all 429 responses' },
      ],
      unit: 'msg/s',
    },
    {
      title: 'Are caps used up?',
      description: 'Caps of accounts by their level: PosternCapNearlyUsed, PosternCapUsedUp.',
      queries: [{ expr: largest('postern_caps_used', 'level'), legend: '{{level}} %' }],
      unit: 'short',
    },
    {
      title: 'Which rules stop messages?',
      description: 'Steps that a rule of docs/reference/rules.md stopped before their submission.',
      queries: [
        { expr: rate('postern_trust_denials_total', 'rule, verdict'), legend: '{{rule}}, {{verdict}}' },
      ],
      unit: 'msg/s',
      stacked: true,
    },
    {
      title: 'Do webhooks work?',
      description: 'Pushes by result. A few failed ones are normal: some endpoint is always down.',
      queries: [{ expr: rate('postern_webhook_pushes_total', 'result'), legend: '{{result}}' }],
      unit: 'msg/s',
      stacked: true,
    },
    {
      title: 'Are reports late?',
      description: 'From writing a report to its acknowledgement. A median above 10 s: PosternWebhookLag.',
      queries: latency('postern_webhook_lag_seconds', 'lag'),
      unit: 's',
      exemplars: true,
    },
    {
      title: 'Are endpoints slow?',
      description: 'Duration of one push. `postern webhook list` shows which are behind.',
      queries: latency('postern_webhook_push_duration_seconds', 'push'),
      unit: 's',
      exemplars: true,
    },
    {
      title: 'Were webhooks disabled, or reports abandoned?',
      description: 'In an hour: PosternWebhookDisabled, PosternWebhookPushesAbandoned.',
      queries: [
        { expr: inHour('postern_webhooks_disabled_total', 'reason'), legend: 'disabled, {{reason}}' },
        { expr: inHour('postern_webhook_pushes_abandoned_total'), legend: 'abandoned' },
        { expr: total('postern_webhooks_owned'), legend: 'webhooks with an owner' },
      ],
      unit: 'short',
    },
  ],
}
