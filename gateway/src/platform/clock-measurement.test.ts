/** The clock is measured against a real PostgreSQL; its absence and jumps are survived and logged. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { atEnd } from '../../test/support/cleanup.ts'
import { serviceUrl } from '../../test/support/services.ts'
import { quietLog, testMetrics } from '../../test/support/silent-log.ts'
import { createProxy } from '../../test/support/proxy.ts'
import { waitFor } from '../../test/support/wait.ts'
import { measureClock, startClockMeasurement } from './clock-measurement.ts'
import { Clock } from './clock.ts'

const url = serviceUrl('POSTERN_DATABASE_URL')
/** Half of a round trip on a busy machine; what is wrong is off by minutes. */
const maxErrorMs = 200
const pool = new pg.Pool({ connectionString: url, max: 1 })
atEnd(() => pool.end())

async function differenceMs(clock: Clock): Promise<number> {
  const before = clock.now()
  const { rows } = await pool.query<{ at: Date }>('select clock_timestamp() as at')
  const at = rows[0]!.at.getTime()
  return Math.max(0, before - at, at - clock.now())
}

/** Lines that were logged, each as its message. */
function createLogged() {
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => lines.push((JSON.parse(line) as { msg: string }).msg) })
  return { lines, log }
}

const isExplained = (): Promise<boolean> => Promise.resolve(false)

for (const skewMs of [600_000, -600_000, 31 * 86_400_000]) {
  test(`a host whose clock is off by ${skewMs / 1000} s shows the time of PostgreSQL`, async (t) => {
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

test('without PostgreSQL nothing is measured, and afterwards the clock continues from the last measurement', async (t) => {
  const proxy = await createProxy(url)
  proxy.block()
  let wallOff = 0
  const clock = new Clock({ wallMs: () => Date.now() + wallOff, monotonicMs: () => performance.now() })
  const measurement = startClockMeasurement({
    url: proxy.url,
    clock,
    log: quietLog,
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

test('a jump against the time that passed is logged, and the clock follows PostgreSQL', async (t) => {
  const { lines, log } = createLogged()
  let paused = 0
  // A paused machine: neither of its clocks has moved.
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
  assert.match(lines.join('\n'), /PostgreSQL's clock jumped forward .* this process follows it/)
})

test("a jump of PostgreSQL's clock and the host's together is logged with what to do, and measured", async (t) => {
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

test('an answer that took too long is not used', async () => {
  let elapsed = 0
  const clock = new Clock({ wallMs: () => Date.now(), monotonicMs: () => (elapsed += 1_500) })
  await assert.rejects(measureClock(pool, clock), /took 1500 ms to answer/)
  assert.equal(clock.isMeasured, false)
})
