/** Derives alarms with next steps from the figures. The limits of ages match those of deploy/alerts.yml. */
import {
  backlogAlarms,
  critical,
  databaseAlarms,
  failureAlarms,
  warning,
  type AlarmCheck,
} from './cause-alarms.ts'
import type { Alarm, NowFigures } from './figures.ts'

const maxUncheckedMs = 180_000
const maxOverdueSeconds = 30
/** An hour longer than a step may take by default. */
const maxOldestSeconds = 90_000
/** A second of work at the rate of a small worker; more waits if intake is slow or stopped. */
const maxAccepted = 5_000

export function findAlarms(figures: NowFigures, nowMs: number): Alarm[] {
  const checks: AlarmCheck[] = [
    ...ledgerAlarms(figures, nowMs),
    // Causes come before their consequences.
    ...databaseAlarms(figures),
    ...flowAlarms(figures, nowMs),
    ...linkAlarms(figures),
    ...failureAlarms(figures),
    ...backlogAlarms(figures),
    ...clientAlarms(figures),
  ]
  const alarms = checks.filter((alarm) => alarm !== false)
  // `critical` sorts before `warning`.
  return alarms.sort((left, right) =>
    left.severity < right.severity ? -1 : left.severity > right.severity ? 1 : 0,
  )
}

function ledgerAlarms({ ledger, workers }: NowFigures, nowMs: number): AlarmCheck[] {
  const { gap, unrecorded, checkedAt } = ledger
  const ageMs = checkedAt === null ? null : nowMs - new Date(checkedAt).getTime()
  return [
    gap !== null &&
      gap !== 0 && {
        ...critical('ledger-gap', '/admin/v1/ledger'),
        text: `the ledger has a gap of ${gap}: messages were lost, recorded twice or closed twice`,
        action:
          'List the accounts and days with GET /admin/v1/ledger/accounts; a single gap during an upgrade goes away.',
      },
    unrecorded !== null &&
      unrecorded > 0 && {
        ...critical('ledger-unrecorded', '/admin/v1/ledger'),
        text: `${unrecorded} messages were confirmed to clients but never recorded`,
        action: 'List them with GET /admin/v1/ledger, notify the clients, then acknowledge the gap.',
      },
    workers.running > 0 &&
      (ageMs === null || ageMs > maxUncheckedMs) && {
        ...warning('ledger-unchecked', '/admin/v1/ledger'),
        text:
          ageMs === null
            ? 'the ledger has never been checked'
            : `the ledger was last checked ${Math.round(ageMs / 1000)} s ago`,
        action:
          'Check the log of the workers; one of them checks the ledger every 30 seconds, or less often while many messages are open.',
      },
  ]
}

function flowAlarms({ ages, queues, parked, workers }: NowFigures, nowMs: number): AlarmCheck[] {
  const accepted = queues
    .filter(({ stage }) => stage === 'accepted')
    .reduce((sum, { messages }) => sum + (messages ?? 0), 0)
  return [
    queues.some(({ messages }) => messages === null) && {
      ...critical('broker-unavailable', null),
      text: 'RabbitMQ does not respond; sends are rejected',
      action: 'Check that its nodes run, and check their disk and memory alarms.',
    },
    workers.running === 0 && {
      ...critical('no-worker', null),
      text: 'no worker is running; accepted messages wait',
      action: 'Start a worker, and check its log if it exits.',
    },
    workers.running > 0 &&
      workers.partitionsWithoutOwner > 0 && {
        ...critical('partitions-without-owner', '/admin/v1/routes'),
        text: `${workers.partitionsWithoutOwner} of 32 partitions have no owner; their routes submit nothing`,
        action: 'If this lasts more than ten seconds, check the log of the workers.',
      },
    accepted > maxAccepted && {
      ...critical('intake-behind', null),
      text: `${accepted} accepted messages wait to be recorded`,
      action: 'Check PostgreSQL, and run more workers if it is not busy.',
    },
    ages.overdueSeconds > maxOverdueSeconds && {
      ...critical('overdue', '/admin/v1/messages?state=open'),
      text: `a step is ${Math.round(ages.overdueSeconds)} s past its deadline and still open`,
      action: 'Check the log of the workers; one of them closes such steps every second.',
    },
    ages.openSeconds > maxOldestSeconds && {
      ...warning(
        'oldest-message',
        `/admin/v1/messages?state=open&until=${minuteAfter(nowMs - ages.openSeconds * 1000)}`,
      ),
      text: `the oldest open message is ${Math.round(ages.openSeconds / 3600)} hours old`,
      action: 'Open it to find out what it waits for.',
    },
    parked > 0 && {
      ...warning('parked', '/admin/v1/parked'),
      text: `${parked === 1 ? '1 job is' : `${parked} jobs are`} parked; no stage could process ${parked === 1 ? 'it' : 'them'}`,
      action: 'Check the reason of each, then retry or drop it.',
    },
  ]
}

/** Rounds up, so that the list starts with the oldest and its URL stays the same for a minute. */
function minuteAfter(ms: number): string {
  return new Date((Math.floor(ms / 60_000) + 1) * 60_000).toISOString()
}

function linkAlarms({ links }: NowFigures): AlarmCheck[] {
  const { shares, healthy, unhealthy } = links
  const [first] = unhealthy
  if (first === undefined) return []
  const path = `/admin/v1/routes/${encodeURIComponent(first.route)}`
  const more = shares - healthy - 1
  const text = `route ${first.route} ${first.state}${more > 0 ? `, and ${more} more routes or shares of routes accept no messages` : ''}`
  return [
    {
      ...(healthy === 0 ? critical('no-route', path) : warning('route-unhealthy', path)),
      text,
      action: 'Open the route; its messages use other matching routes, or wait.',
    },
  ]
}

function clientAlarms({ webhooks }: NowFigures): AlarmCheck[] {
  const { failing, failingLongest, disabledByFailure } = webhooks
  const first = failingLongest === null ? 'a webhook' : `a webhook of ${failingLongest.name}`
  const onlyWebhookId = failing === 1 && failingLongest !== null ? failingLongest.id : null
  return [
    failing > 0 && {
      ...warning(
        'webhooks-failing',
        onlyWebhookId === null
          ? '/admin/v1/webhooks?state=failing'
          : `/admin/v1/webhooks/${encodeURIComponent(onlyWebhookId)}`,
      ),
      text: `pushes to ${first} fail${failing > 1 ? `, and to ${failing - 1} more` : ''}`,
      action: 'Check the last attempts of each, and notify the client; reports stay available by polling.',
    },
    disabledByFailure > 0 && {
      ...warning('webhooks-disabled', '/admin/v1/webhooks?state=disabled'),
      text: `${disabledByFailure === 1 ? '1 webhook was' : `${disabledByFailure} webhooks were`} disabled because pushes failed`,
      action:
        'Notify the clients; enable each webhook once its receiver works, and replay the missed reports.',
    },
  ]
}
