import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operations } from '../src/generated/operations.ts'
import { placeFlow, flowSize } from '../src/screens/now/flow-layout.ts'
import { toStages } from '../src/screens/now/stages.ts'

type Now = Operations['showNow']['data']

const lane = (route: string, more: Partial<Now['lanes'][number]> = {}): Now['lanes'][number] => ({
  route,
  usable: true,
  state: 'healthy',
  waiting: 0,
  delivered: 10,
  failed: 0,
  slow: null,
  ...more,
})
const calm: Now = {
  at: '2026-11-16T10:00:00.000Z',
  readings: { minute: '2026-11-16T09:59:00.000Z', ledgerAt: '2026-11-16T10:00:00.000Z', routesAt: null },
  rates: { accepted: 20, submitted: 0, delivered: 20, failed: 0, closed: 20 },
  flow: { recorded: 20, submitted: 20, reported: 20, delivered: 20, failed: 0 },
  lanes: [lane('a'), lane('b')],
  ages: { openSeconds: 1, overdueSeconds: 0, waitingSeconds: 0, parkedSeconds: 0 },
  queues: [
    { stage: 'accepted', lane: 'normal', messages: 3 },
    { stage: 'dispatch', lane: null, messages: 0 },
    { stage: 'receipts', lane: null, messages: 0 },
  ],
  waiting: { count: 0, more: false },
  parked: 0,
  ledger: {
    accepted: 10,
    final: 5,
    inFlight: 5,
    gap: 0,
    unrecorded: 0,
    checkedAt: '2026-11-16T09:59:50.000Z',
  },
  links: { routes: 2, shares: 2, healthy: 2, unhealthy: [], closed: 0, disabled: 0 },
  routes: [],
  workers: { running: 1, silent: 0, partitionsWithoutOwner: 0 },
  webhooks: { enabled: 0, failing: 0, failingLongest: null, disabledByFailure: 0 },
  database: { readMs: 20, lockWaits: 0, lockWaitSeconds: 0, holder: null },
  backlog: { due: 0, more: false, accounts: [], othersSeconds: 0, othersSend: false },
  failures: { routes: [], ended: 0, unserved: 0 },
  alarms: [],
}
const stageTone = (now: Now, id: string) => toStages(now).find((stage) => stage.id === id)!.tone

test('marks only stages with a backlog or an unusable route', () => {
  assert.ok(toStages(calm).every(({ tone }) => tone === 'calm'))
  const queue = (messages: number | null): Now => ({
    ...calm,
    queues: [{ stage: 'accepted', lane: 'bulk', messages }, ...calm.queues.slice(1)],
  })
  assert.equal(stageTone(queue(1_001), 'intake'), 'warn')
  assert.equal(stageTone(queue(5_001), 'intake'), 'bad')
  assert.equal(stageTone(queue(null), 'intake'), 'bad')
  const down = { ...calm, lanes: [lane('a', { usable: false, waiting: 7 })] }
  assert.equal(stageTone(down, 'waiting'), 'warn')
})

test('line thickness follows the rate of a route', () => {
  const { pipes } = placeFlow(
    { ...calm, lanes: [lane('a', { delivered: 20 }), lane('b', { delivered: 0 })] },
    1_000,
  )
  const of = (id: string) => pipes.find((pipe) => pipe.id === id)!
  assert.ok(of('to-a').width > 10 && !of('to-a').dry)
  assert.ok(of('to-b').dry)
})

test('keeps any number of routes inside the drawing without overlap', () => {
  for (const count of [0, 1, 12])
    for (const width of [860, 1_000, 2_200]) {
      const lanes = Array.from({ length: count }, (_, index) =>
        lane(`route-${index}`, { waiting: 10 ** index }),
      )
      const layout = placeFlow({ ...calm, lanes }, width)
      const xs = layout.stages.map(({ x }) => x)
      assert.ok(xs[0]! - flowSize.nodeWidth / 2 >= 0 && xs.at(-1)! + flowSize.nodeWidth / 2 <= width)
      for (let index = 1; index < xs.length; index++)
        assert.ok(xs[index]! - xs[index - 1]! >= flowSize.nodeWidth)
      for (const { y } of layout.lanes) assert.ok(y > 0 && y < layout.height)
      assert.ok(layout.lanes.every(({ level }) => level >= 0 && level <= 1))
    }
})
