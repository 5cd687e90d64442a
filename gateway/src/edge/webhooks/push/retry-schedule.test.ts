import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Clock } from '../../../platform/time/clock.ts'
import { loadConfig } from '../../../platform/settings/config.ts'
import { retrySettings } from '../from-config.ts'
import { PushRateLimit } from './push-admission.ts'
import { maxPushRetryAfterMs, computeRetryTime } from './retry-schedule.ts'
import { pushLifetimeMs } from '../webhook.ts'

const config = loadConfig({
  POSTERN_DATABASE_URL: 'postgres://x',
  POSTERN_BROKER_URLS: 'amqp://x',
  POSTERN_TOKEN_SECRET: 'x'.repeat(32),
})
const { scheduleMs } = retrySettings(config)
const start = new Date('2026-11-15T00:00:00Z')
const at = (now: Date): Clock => new Clock({ wallMs: () => now.getTime(), monotonicMs: () => 0 })

test('the default schedule has eleven waits and ends within three days, even with maximum jitter', () => {
  let now = start
  let tries = 1
  for (; ; tries++) {
    const next = computeRetryTime(
      { tries, createdAt: start, retryAfterMs: null },
      scheduleMs,
      at(now),
      () => 0.999,
    )
    if (next === null) break
    assert.ok(next.getTime() - now.getTime() >= scheduleMs[tries - 1]!)
    now = next
  }
  assert.equal(tries, 12)
  assert.ok(now.getTime() - start.getTime() < pushLifetimeMs)
})

test('a wait is never shorter than scheduled or requested, and never ends after the report expires', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 14 }),
      fc.option(fc.integer({ min: 0, max: maxPushRetryAfterMs })),
      fc.integer({ min: 0, max: pushLifetimeMs + 1_000 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (tries, retryAfterMs, ageMs, random) => {
        const now = new Date(start.getTime() + ageMs)
        const next = computeRetryTime(
          { tries, createdAt: start, retryAfterMs },
          scheduleMs,
          at(now),
          () => random,
        )
        if (next === null) return
        const waitMs = next.getTime() - now.getTime()
        assert.ok(waitMs >= scheduleMs[tries - 1]! && waitMs >= (retryAfterMs ?? 0) - 1)
        assert.ok(next.getTime() <= start.getTime() + pushLifetimeMs)
      },
    ),
  )
})

test('the rate limit admits its rate and a burst of a tenth of a second', () => {
  const limit = new PushRateLimit(100)
  let started = 0
  for (let ms = 1_000; ms < 3_000; ms++) while (limit.consume(ms) === 0) started++
  assert.ok(started >= 199 && started <= 212, String(started))
})
