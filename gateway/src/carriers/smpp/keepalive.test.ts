import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Keepalive } from './keepalive.ts'
import { waitFor } from '../../../test/support/wait.ts'

class FakePeer {
  enquiries = 0
  received = 0
  now = 0
  timedOut = false
  readonly keepalive: Keepalive

  constructor(intervalMs: number, timeoutMs: number) {
    this.keepalive = new Keepalive(intervalMs, timeoutMs, {
      enquire: () => (this.enquiries += 1),
      received: () => this.received,
      clock: () => this.now,
      onTimeout: () => (this.timedOut = true),
    })
    this.keepalive.start()
  }
}

test('any received PDU restarts the timeout', async () => {
  const peer = new FakePeer(1, 10)
  await waitFor('the enquire_link', () => peer.enquiries === 1)
  const began = performance.now()
  await waitFor('many times the limit', () => {
    peer.now += 10
    peer.received += 1
    return performance.now() - began > 60
  })
  assert.deepEqual([peer.timedOut, peer.enquiries], [false, 1])
  await waitFor('the timeout', () => {
    peer.now += 10
    return peer.timedOut
  })
  peer.keepalive.stop()
})

test('time in which reading was paused does not count', async () => {
  const peer = new FakePeer(1, 1)
  await waitFor('the enquire_link', () => peer.enquiries === 1)
  const began = performance.now()
  await waitFor('many times the limit', () => performance.now() - began > 40)
  assert.equal(peer.timedOut, false)
  peer.now = 1
  await waitFor('the timeout', () => peer.timedOut)
})

test('enquires again after each response, and never after it was stopped', async () => {
  const peer = new FakePeer(1, 1000)
  for (let count = 1; count <= 3; count += 1) {
    await waitFor('the enquire_link', () => peer.enquiries === count)
    peer.keepalive.start()
  }
  peer.keepalive.stop()
  peer.keepalive.start()
  const began = performance.now()
  await waitFor('some intervals', () => performance.now() - began > 20)
  assert.equal(peer.enquiries, 3)
})
