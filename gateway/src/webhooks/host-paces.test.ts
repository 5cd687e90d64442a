/** All webhooks of a process together push to one host at its rate, and other hosts have theirs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HostPaces } from './host-paces.ts'

test('pushes to one host share a rate, whatever the path; another host has its own', () => {
  const hosts = new HostPaces(100)
  const started = (url: string): number => {
    let count = 0
    for (let nowMs = 1_000; nowMs <= 2_000; nowMs++)
      for (const path of ['a', 'b']) if (hosts.take(`${url}/${path}`, nowMs) === 0) count++
    return count
  }
  // A second, and the burst of a tenth of one.
  for (const url of ['https://one.example', 'https://two.example']) {
    const count = started(url)
    assert.ok(Math.abs(count - 111) <= 2, String(count))
  }
})
