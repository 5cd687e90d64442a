import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HostRateLimiter } from './host-rate-limiter.ts'
import { PushAdmission } from './push-admission.ts'

test('pushes to one host share a rate, whatever the path; another host has its own', () => {
  const hosts = new HostRateLimiter(100)
  const started = (url: string): number => {
    let count = 0
    for (let nowMs = 1_000; nowMs <= 2_000; nowMs++)
      for (const path of ['a', 'b']) if (hosts.consume(`${url}/${path}`, 1, nowMs) === 0) count++
    return count
  }
  // The rate of one second plus the burst of a tenth of a second.
  for (const url of ['https://one.example', 'https://two.example']) {
    const count = started(url)
    assert.ok(Math.abs(count - 111) <= 2, String(count))
  }
})

test('another port, scheme, letter case or a final dot is the same host', () => {
  const hosts = new HostRateLimiter(100)
  const names = [
    'https://one.example',
    'https://one.example.',
    'http://one.example:8080',
    'https://ONE.example:1',
  ]
  let count = 0
  for (let nowMs = 1_000; nowMs <= 2_000; nowMs++)
    for (const name of names) if (hosts.consume(name, 1, nowMs) === 0) count++
  assert.ok(Math.abs(count - 111) <= 2, String(count))
})

/** Returns the pushes of each account in ten seconds, if each requests at its interval and obeys the wait. */
function simulate(hosts: HostRateLimiter, intervalsMs: readonly number[]): number[] {
  const nextAt = intervalsMs.map(() => 1_000)
  const counts = intervalsMs.map(() => 0)
  for (let nowMs = 1_000; nowMs < 11_000; nowMs++)
    for (const [account, everyMs] of intervalsMs.entries()) {
      if (nextAt[account]! > nowMs) continue
      const waitMs = hosts.consume('https://shared.example/', account, nowMs)
      if (waitMs === 0) counts[account]!++
      nextAt[account] = nowMs + Math.ceil(waitMs === 0 ? everyMs : waitMs)
    }
  return counts
}

test('an account that requests constantly leaves others their part of the rate of the host', () => {
  const [busy, slow, quiet] = simulate(new HostRateLimiter(10), [1, 1_000, 2_500]) as [number, number, number]
  assert.ok(slow >= 9, `the account with one per second got ${slow} of 10`)
  assert.ok(quiet >= 4, `the account with one per 2.5 s got ${quiet} of 4`)
  assert.ok(busy >= 80, `the rest of 100 is left to the busy one, which got ${busy}`)
  const even = simulate(new HostRateLimiter(100), [1, 1, 1, 1])
  for (const count of even) assert.ok(count > 225 && count < 280, String(even))
})

test("a push delayed by its host uses none of its webhook's rate", () => {
  const admission = new PushAdmission(1)
  for (let nth = 0; nth < 5; nth++) {
    const { pass } = admission.tryEnter()
    assert.notEqual(pass, null)
    admission.release(pass!)
  }
  assert.notEqual(admission.tryEnter().pass, null)
  assert.equal(admission.tryEnter().pass, null)
})
