import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findAlarms } from './alarms.ts'
import type { FailingRoute } from './cause-figures.ts'
import type { NowFigures, RouteFigures } from './figures.ts'

const now = Date.UTC(2026, 10, 16, 10)
const healthy: NowFigures = {
  at: new Date(now),
  readings: { minute: new Date(now - 60_000), ledgerAt: new Date(now), routesAt: new Date(now) },
  rates: { accepted: 10, submitted: 10, delivered: 9, failed: 1, closed: 10 },
  flow: { recorded: 10, submitted: 10, reported: 10, delivered: 9, failed: 1 },
  lanes: [],
  ages: { openSeconds: 3_600, overdueSeconds: 0, waitingSeconds: 5, parkedSeconds: 0 },
  queues: [{ stage: 'accepted', lane: 'normal', messages: 12 }],
  waiting: { count: 100, more: false },
  parked: 0,
  ledger: {
    accepted: 100,
    final: 90,
    inFlight: 10,
    gap: 0,
    unrecorded: 0,
    checkedAt: new Date(now - 30_000),
  },
  links: { routes: 2, shares: 2, healthy: 2, unhealthy: [], closed: 0, disabled: 1 },
  routes: [],
  workers: { running: 2, silent: 0, partitionsWithoutOwner: 0 },
  webhooks: { enabled: 3, failing: 0, failingLongest: null, disabledByFailure: 0 },
  database: { readMs: 30, lockWaits: 0, lockWaitSeconds: 0, holder: null },
  backlog: { due: 100, more: false, accounts: [], othersSeconds: 0, othersSend: true },
  failures: { routes: [], ended: 500, unserved: 0 },
}
const holder = { process: 4711, user: 'ops', application: 'psql', table: 'messages' }
const failing: FailingRoute = {
  route: 'north',
  sent: 40,
  failed: 39,
  prefix: '+8490',
  code: '23003',
  text: 'Wrong recipient number',
  carrierCode: 'smpp:0x0000000b',
}
const slow: RouteFigures = {
  ...{
    id: 'north',
    traffic: 'open',
    usable: true,
    state: 'healthy',
    arrivals: 40,
    submitted: 5,
    delivered: 5,
    failed: 0,
  },
  queued: 10,
  waiting: 300,
  waitingSeconds: 12,
  throttledShare: 0,
  slow: 'answers',
}
const burst = { account: 'shop-1', name: 'Harbour Bakery', accepted: 2_000, waiting: 900, oldestSeconds: 20 }
const firstAlarmText = (changed: Partial<NowFigures>): string =>
  findAlarms({ ...healthy, ...changed }, now)[0]!.text
const ids = (changed: Partial<NowFigures>): string[] =>
  findAlarms({ ...healthy, ...changed }, now).map(({ id }) => id)

test('healthy figures raise no alarm', () => {
  assert.deepEqual(ids({}), [])
})

test('each fault raises its alarm', () => {
  const { ledger, ages, workers, webhooks, links, database, backlog, failures } = healthy
  const down = { route: 'north', share: 'north', state: 'is not linked' }
  const faults: readonly [string, Partial<NowFigures>][] = [
    ['ledger-gap', { ledger: { ...ledger, gap: 2 } }],
    ['ledger-unrecorded', { ledger: { ...ledger, unrecorded: 2 } }],
    ['ledger-unchecked', { ledger: { ...ledger, checkedAt: new Date(now - 181_000) } }],
    ['ledger-unchecked', { ledger: { ...ledger, checkedAt: null, gap: null, unrecorded: null } }],
    ['broker-unavailable', { queues: [{ stage: 'receipts', lane: null, messages: null }] }],
    ['no-worker', { workers: { ...workers, running: 0, partitionsWithoutOwner: 32 } }],
    ['partitions-without-owner', { workers: { ...workers, partitionsWithoutOwner: 3 } }],
    ['intake-behind', { queues: [{ stage: 'accepted', lane: 'bulk', messages: 5_001 }] }],
    ['overdue', { ages: { ...ages, overdueSeconds: 31 } }],
    ['oldest-message', { ages: { ...ages, openSeconds: 90_001 } }],
    ['parked', { parked: 1 }],
    ['route-unhealthy', { links: { ...links, healthy: 1, unhealthy: [down] } }],
    ['no-route', { links: { ...links, healthy: 0, unhealthy: [down] } }],
    ['database-locked', { database: { ...database, lockWaits: 3, lockWaitSeconds: 4, holder } }],
    ['database-slow', { database: { ...database, readMs: 1_001 } }],
    ['route-failing', { failures: { ...failures, routes: [failing] } }],
    ['unserved', { failures: { ...failures, unserved: 5 } }],
    ['route-slow', { routes: [slow] }],
    ['account-burst', { backlog: { ...backlog, due: 1_000, accounts: [burst] } }],
    ['webhooks-failing', { webhooks: { ...webhooks, failing: 1 } }],
    ['webhooks-disabled', { webhooks: { ...webhooks, disabledByFailure: 1 } }],
  ]
  for (const [id, changed] of faults) assert.deepEqual(ids(changed), [id])
})

test('the worst alarm comes first', () => {
  assert.deepEqual(ids({ parked: 1, ledger: { ...healthy.ledger, gap: 1 } }), ['ledger-gap', 'parked'])
})

test('the oldest message is found with the filter of its alarm', () => {
  const [alarm] = findAlarms({ ...healthy, ages: { ...healthy.ages, openSeconds: 100_000 } }, now)
  const until = new URL(alarm!.path!, 'http://localhost').searchParams.get('until')!
  const oldest = now - 100_000_000
  assert.ok(Date.parse(until) > oldest && Date.parse(until) <= oldest + 60_000, until)
})

test('an alarm names its cause', () => {
  const { database, failures, backlog, webhooks } = healthy
  assert.equal(
    firstAlarmText({ database: { ...database, lockWaits: 3, lockWaitSeconds: 12, holder } }),
    'PostgreSQL is slow: 3 statements wait for a lock on messages, the first for 12 s; process 4711 (psql, user ops) holds it',
  )
  assert.equal(
    firstAlarmText({ failures: { ...failures, routes: [failing] } }),
    'route north: 39 of 40 messages to numbers that begin with +8490 failed: Wrong recipient number (23003, smpp:0x0000000b)',
  )
  assert.match(
    firstAlarmText({ routes: [slow] }),
    /310 messages wait, the oldest for 12 s, .*its carrier responds slowly$/,
  )
  assert.match(
    firstAlarmText({ backlog: { ...backlog, due: 1_000, accounts: [burst] } }),
    /^account Harbour Bakery sends a burst: 2000 messages in the last two minutes, 900 of the 1000 waiting messages .*messages of other accounts wait at most a second$/,
  )
  // Not all waiting steps were counted, so nothing is reported about the rest.
  assert.match(
    firstAlarmText({
      backlog: { ...backlog, due: 1_000, more: true, accounts: [burst], othersSeconds: null },
    }),
    /, at least 900 waiting messages are its own, the oldest for 20 s$/,
  )
  const since = new Date(now)
  const [alarm] = findAlarms(
    {
      ...healthy,
      webhooks: {
        ...webhooks,
        failing: 1,
        failingLongest: { id: 'w1', account: 'shop-1', name: 'Harbour Bakery', since },
      },
    },
    now,
  )
  assert.deepEqual(
    [alarm!.text, alarm!.path],
    ['pushes to a webhook of Harbour Bakery fail', '/admin/v1/webhooks/w1'],
  )
})

test('a lock that stops messages is critical; the backlog of the only sender is no burst', () => {
  const { database, backlog } = healthy
  const locked = { ...database, lockWaits: 3, lockWaitSeconds: 11, holder }
  assert.equal(findAlarms({ ...healthy, database: locked }, now)[0]!.severity, 'critical')
  assert.deepEqual(ids({ backlog: { ...backlog, due: 1_000, accounts: [burst], othersSend: false } }), [])
})
