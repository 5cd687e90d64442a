/** The clock is measured against a real PostgreSQL; outages and jumps are tolerated and logged. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { serviceUrl } from '../../../test/support/engines/services.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { createProxy } from '../../../test/support/engines/proxy.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { measureClock, startClockMeasurement } from './clock-measurement.ts'
import { Clock } from '../time/clock.ts'

const url = serviceUrl('POSTERN_DATABASE_URL')
/** Half of a round trip on a busy machine; real errors are minutes. */
const maxErrorMs = 200
const pool = new pg.Pool({ connectionString: url, max: 1 })
addCleanup(() => pool.end())

async function differenceMs(clock: Clock): Promise<number> {
  const before = clock.now()
  const { rows } = await pool.query<{ at: Date }>('select clock_timestamp() as at')
  const at = rows[0]!.at.getTime()
  return Math.max(0, before - at, at - clock.now())
}

/** Collects the messages of logged lines. */
function createLogged() {
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => lines.push((JSON.parse(line) as { msg: string }).msg) })
  return { lines, log }
}

const isExplained = (): Promise<boolean> => Promise.resolve(false)

for (const skewMs of [600_000, -600_000, 31 * 86_400_000]) {
  test(`a host whose clock is off by ${skewMs / 1000} s uses PostgreSQL's time`, async (t) => {
    const { lines, log } = createLogged()
    const metrics = testMetrics()
    let off = skewMs
    const clock = new Clock({ wallMs: () => Date.now() + off, monotonicMs: () => performance.now() })
    const measurement = startClockMeasurement({ url, clock, log, metrics, isExplained })
    t.after(() => measurement.stop())
    await measurement.measured
    assert.ok((await differenceMs(clock)) <= maxErrorMs)
    assert.equal(clock.agrees, false)
    assert.match(lines.join('\n'), /clock differs from PostgreSQL's, so one of them is wrong/)
    const { values } = await metrics.clockSkew.get()
    assert.ok(Math.abs(values[0]!.value * 1000 - skewMs) <= maxErrorMs)
    // The operator sets the clock.
    off = 0
    await waitFor('the log to say that they agree', () => lines.some((line) => line.includes('agrees with')))
    assert.equal(lines.length, 2)
  })
}

test('the clock continues from the last measurement while PostgreSQL is unavailable', async (t) => {
  const proxy = await createProxy(url)
  proxy.block()
  let wallOff = 0
  const clock = new Clock({ wallMs: () => Date.now() + wallOff, monotonicMs: () => performance.now() })
  const measurement = startClockMeasurement({
    url: proxy.url,
    clock,
    log: silentLog,
    metrics: testMetrics(),
    isExplained,
  })
  t.after(() => measurement.stop())
  await Promise.race([measurement.measured, delay(300)])
  assert.equal(clock.isMeasured, false)
  proxy.unblock()
  await measurement.measured
  proxy.block()
  wallOff = 3_600_000
  await delay(300)
  assert.ok((await differenceMs(clock)) <= maxErrorMs)
})

test('a jump relative to the elapsed time is logged, and the clock follows PostgreSQL', async (t) => {
  const { lines, log } = createLogged()
  let paused = 0
  // A paused machine: neither clock has moved.
  const clock = new Clock({
    wallMs: () => Date.now() - paused,
    monotonicMs: () => performance.now() - paused,
  })
  await measureClock(pool, clock)
  paused = 20_000
  const measurement = startClockMeasurement({ url, clock, log, metrics: testMetrics(), isExplained })
  t.after(() => measurement.stop())
  await measurement.measured
  assert.ok((await differenceMs(clock)) <= maxErrorMs)
  assert.match(lines.join('\n'), /PostgreSQL's clock jumped forward.* relative to this process/)
})

test('a common jump of both clocks is logged with the next action', async (t) => {
  const { lines, log } = createLogged()
  const metrics = testMetrics()
  let behindMs = 3_600_000
  const clock = new Clock({ wallMs: () => Date.now(), monotonicMs: () => performance.now() - behindMs })
  await measureClock(pool, clock)
  behindMs += 60_000
  const measurement = startClockMeasurement({ url, clock, log, metrics, isExplained })
  t.after(() => measurement.stop())
  await measurement.measured
  assert.match(lines.join('\n'), /both may be wrong.* restart this process/)
  const { values } = await metrics.clockJump.get()
  assert.ok(Math.abs(values[0]!.value - 60) < 0.1)
})

test('a slow response is not used', async () => {
  let elapsed = 0
  const clock = new Clock({ wallMs: () => Date.now(), monotonicMs: () => (elapsed += 1_500) })
  await assert.rejects(measureClock(pool, clock), /took 1500 ms to respond/)
  assert.equal(clock.isMeasured, false)
})
