import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addCleanup } from '../../../../test/support/cleanup.ts'
import { testMetrics } from '../../../../test/support/silent-log.ts'
import { clock } from '../../../platform/time/clock.ts'
import { createMetrics } from '../../../platform/metrics.ts'
import { startOps } from './ops.ts'

const checks = { broker: true, database: true }
const metrics = testMetrics()
const ops = await startOps('127.0.0.1', 0, () => ({ ...checks }), metrics)
addCleanup(() => ops.close())
const ask = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${ops.port}${path}`)

test('responds to the liveness check', async () => {
  assert.equal((await ask('/livez')).status, 200)
})

test('is ready while all dependencies work, and otherwise names those that fail', async () => {
  assert.equal((await ask('/readyz')).status, 200)
  checks.database = false
  const answer = await ask('/readyz')
  assert.equal(answer.status, 503)
  assert.deepEqual(await answer.json(), {
    ready: false,
    checks: { broker: true, database: false },
    clockSkewSeconds: 0,
    clockJumpSeconds: 0,
  })
})

test('serves metrics for Prometheus', async () => {
  metrics.accepted.inc({ channel: 'sms' })
  const answer = await ask('/metrics')
  assert.match(answer.headers.get('content-type')!, /^application\/openmetrics-text/)
  assert.match(await answer.text(), /postern_messages_accepted_total\{channel="sms"\} 1/)
})

test("shows a jump of PostgreSQL's clock even if the host's clock jumped with it", async () => {
  const sample = (databaseMs: number) => {
    const at = clock.monotonicMs
    return { databaseMs, sentMs: at, receivedMs: at }
  }
  clock.follow(sample(Date.now()))
  clock.follow(sample(Date.now() + 600_000))
  const { clockJumpSeconds } = (await (await ask('/readyz')).json()) as { clockJumpSeconds: number }
  clock.follow(sample(Date.now()))
  assert.ok(Math.abs(clockJumpSeconds - 600) < 1, `${clockJumpSeconds} s`)
})

test('every series has the label of its cell', async () => {
  const { registry, partitions } = createMetrics('07')
  partitions.set(32)
  assert.match(await registry.metrics(), /^postern_partitions_owned\{cell="07"\} 32$/m)
})

test('lists the existing paths for unknown ones', async () => {
  const answer = await ask('/')
  assert.equal(answer.status, 404)
  assert.match(await answer.text(), /readyz/)
})
