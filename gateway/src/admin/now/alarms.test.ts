/** Which figures raise an alarm. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findAlarms } from './alarms.ts'
import type { Figures } from './figures.ts'

const now = Date.UTC(2026, 10, 16, 10)
const healthy: Figures = {
  at: new Date(now),
  readings: { minute: new Date(now - 60_000), ledgerAt: new Date(now), routesAt: new Date(now) },
  rates: { accepted: 10, submitted: 10, delivered: 9, failed: 1, closed: 10 },
  flow: { recorded: 10, submitted: 10, reported: 10, delivered: 9, failed: 1 },
  lanes: [],
  ages: { openSeconds: 3_600, overdueSeconds: 0, waitingSeconds: 5, parkedSeconds: 0 },
  queues: [{ stage: 'accepted', lane: 'normal', messages: 12 }],
  waiting: { count: 100, more: false },
  parked: 0,
  ledger: { accepted: 100, final: 90, inFlight: 10, gap: 0, atGate: 0, checkedAt: new Date(now - 30_000) },
  links: { routes: 2, shares: 2, healthy: 2, unhealthy: [], closed: 0, disabled: 1 },
  routes: [],
  workers: { running: 2, silent: 0, partitionsWithoutOwner: 0 },
  webhooks: { enabled: 3, failing: 0, disabledByFailure: 0 },
}
const ids = (changed: Partial<Figures>): string[] =>
  findAlarms({ ...healthy, ...changed }, now).map(({ id }) => id)

test('nothing is wrong with healthy figures', () => {
  assert.deepEqual(ids({}), [])
})

test('each fault raises its alarm', () => {
  const { ledger, ages, workers, webhooks, links } = healthy
  const down = { route: 'north', share: 'north', state: 'is not linked' }
  const faults: readonly [string, Partial<Figures>][] = [
    ['ledger-gap', { ledger: { ...ledger, gap: 2 } }],
    ['ledger-at-gate', { ledger: { ...ledger, atGate: 2 } }],
    ['ledger-unchecked', { ledger: { ...ledger, checkedAt: new Date(now - 181_000) } }],
    ['ledger-unchecked', { ledger: { ...ledger, checkedAt: null, gap: null, atGate: null } }],
    ['broker-unavailable', { queues: [{ stage: 'receipts', lane: null, messages: null }] }],
    ['no-worker', { workers: { ...workers, running: 0, partitionsWithoutOwner: 32 } }],
    ['partitions-without-owner', { workers: { ...workers, partitionsWithoutOwner: 3 } }],
    ['intake-behind', { queues: [{ stage: 'accepted', lane: 'bulk', messages: 5_001 }] }],
    ['overdue', { ages: { ...ages, overdueSeconds: 31 } }],
    ['oldest-message', { ages: { ...ages, openSeconds: 90_001 } }],
    ['parked', { parked: 1 }],
    ['route-unhealthy', { links: { ...links, healthy: 1, unhealthy: [down] } }],
    ['no-route', { links: { ...links, healthy: 0, unhealthy: [down] } }],
    ['webhooks-failing', { webhooks: { ...webhooks, failing: 1 } }],
    ['webhooks-disabled', { webhooks: { ...webhooks, disabledByFailure: 1 } }],
  ]
  for (const [id, changed] of faults) assert.deepEqual(ids(changed), [id])
})

test('the worst comes first', () => {
  assert.deepEqual(ids({ parked: 1, ledger: { ...healthy.ledger, gap: 1 } }), ['ledger-gap', 'parked'])
})

test('the oldest message is found with the filter of its alarm', () => {
  const [alarm] = findAlarms({ ...healthy, ages: { ...healthy.ages, openSeconds: 100_000 } }, now)
  const until = new URL(alarm!.path!, 'http://localhost').searchParams.get('until')!
  const oldest = now - 100_000_000
  assert.ok(Date.parse(until) > oldest && Date.parse(until) <= oldest + 60_000, until)
})
