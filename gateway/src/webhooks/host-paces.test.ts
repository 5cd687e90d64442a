/** All webhooks of a process together push to one host at its rate, shared by accounts; other hosts have theirs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HostPaces } from './host-paces.ts'
import { PushAdmission } from './push-admission.ts'

test('pushes to one host share a rate, whatever the path; another host has its own', () => {
  const hosts = new HostPaces(100)
  const started = (url: string): number => {
    let count = 0
    for (let nowMs = 1_000; nowMs <= 2_000; nowMs++)
      for (const path of ['a', 'b']) if (hosts.take(`${url}/${path}`, 1, nowMs) === 0) count++
    return count
  }
  // A second, and the burst of a tenth of one.
  for (const url of ['https://one.example', 'https://two.example']) {
    const count = started(url)
    assert.ok(Math.abs(count - 111) <= 2, String(count))
  }
})

test('another port, scheme, letter case or a final dot is the same host', () => {
  const hosts = new HostPaces(100)
  const names = [
    'https://one.example',
    'https://one.example.',
    'http://one.example:8080',
    'https://ONE.example:1',
  ]
  let count = 0
  for (let nowMs = 1_000; nowMs <= 2_000; nowMs++)
    for (const name of names) if (hosts.take(name, 1, nowMs) === 0) count++
  assert.ok(Math.abs(count - 111) <= 2, String(count))
})

/** Pushes of each account in ten seconds, when each asks as often as given and obeys the wait. */
function simulate(hosts: HostPaces, asksEveryMs: readonly number[]): number[] {
  const nextAt = asksEveryMs.map(() => 1_000)
  const counts = asksEveryMs.map(() => 0)
  for (let nowMs = 1_000; nowMs < 11_000; nowMs++)
    for (const [account, everyMs] of asksEveryMs.entries()) {
      if (nextAt[account]! > nowMs) continue
      const waitMs = hosts.take('https://shared.example/', account, nowMs)
      if (waitMs === 0) counts[account]!++
      nextAt[account] = nowMs + Math.ceil(waitMs === 0 ? everyMs : waitMs)
    }
  return counts
}

test('an account that asks all the time leaves others their part of the host', () => {
  const [busy, slow, quiet] = simulate(new HostPaces(10), [1, 1_000, 2_500]) as [number, number, number]
  assert.ok(slow >= 9, `the account with one a second got ${slow} of 10`)
  assert.ok(quiet >= 4, `the account with one in 2.5 s got ${quiet} of 4`)
  assert.ok(busy >= 80, `the rest of 100 is left to the busy one, which got ${busy}`)
  const even = simulate(new HostPaces(100), [1, 1, 1, 1])
  for (const count of even) assert.ok(count > 225 && count < 280, String(even))
})

test('a push that its host puts off uses none of the rate of its webhook', () => {
  const admission = new PushAdmission(1)
  for (let nth = 0; nth < 5; nth++) {
    const { pass } = admission.tryEnter()
    assert.notEqual(pass, null)
    admission.giveBack(pass!)
  }
  assert.notEqual(admission.tryEnter().pass, null)
  assert.equal(admission.tryEnter().pass, null)
})
