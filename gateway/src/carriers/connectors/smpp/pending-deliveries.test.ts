import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PendingDeliveries } from './pending-deliveries.ts'
import type { SmppDelivery } from './pending-deliveries.ts'
import { waitFor } from '../../../../test/support/wait.ts'

interface Setup {
  readonly pending: PendingDeliveries
  readonly reader: string[]
  readonly replies: number[]
  shed: number
  readonly deliver: () => void
  /** Completes the oldest pending delivery. */
  readonly store: () => Promise<void>
}

function setUp(limit: number, stallMs: number): Setup {
  const open: ((commandStatus: number) => void)[] = []
  const reader: string[] = []
  const replies: number[] = []
  const pending = new PendingDeliveries(
    limit,
    stallMs,
    () => new Promise((resolve) => open.push(resolve)),
    () => (setup.shed += 1),
  )
  pending.attach({ pause: () => reader.push('pause'), resume: () => reader.push('resume') })
  const setup: Setup = {
    pending,
    reader,
    replies,
    shed: 0,
    deliver: () => pending.add({} as SmppDelivery, (commandStatus) => replies.push(commandStatus)),
    store: async () => {
      const before = replies.length
      open.shift()?.(0)
      await waitFor('the reply', () => replies.length > before)
    },
  }
  return setup
}

test('stops reading at the limit and resumes well below it', async () => {
  const { pending, reader, deliver, store } = setUp(4, 60_000)
  for (let count = 0; count < 3; count += 1) deliver()
  assert.deepEqual(reader, [])
  deliver()
  assert.deepEqual([reader, pending.count], [['pause'], 4])
  await store()
  assert.deepEqual(reader, ['pause', 'resume'])
  pending.detach()
})

test('sheds load when the store stays stuck, and accepts deliveries again when it recovers', async () => {
  const setup = setUp(2, 5)
  const { pending, reader, replies, deliver, store } = setup
  deliver()
  deliver()
  await waitFor('the shedding', () => setup.shed === 1)
  assert.deepEqual(reader, ['pause', 'resume'])
  deliver()
  assert.deepEqual([replies, pending.count], [[0x64], 2])
  await store()
  deliver()
  assert.deepEqual([replies, pending.count, reader.at(-1)], [[0x64, 0], 2, 'pause'])
  pending.detach()
})

test('a new session does not lift the limit', () => {
  const { pending, replies, deliver } = setUp(1, 60_000)
  deliver()
  pending.detach()
  pending.attach({ pause: () => undefined, resume: () => undefined })
  deliver()
  assert.deepEqual([replies, pending.count], [[0x64], 1])
  pending.detach()
})

test('a failed handler causes a temporary error, so that the carrier delivers again', async () => {
  const replies: number[] = []
  const pending = new PendingDeliveries(
    1,
    60_000,
    () => Promise.reject(new Error('no')),
    () => undefined,
  )
  pending.add({} as SmppDelivery, (commandStatus) => replies.push(commandStatus))
  await waitFor('the reply', () => replies.length === 1)
  assert.deepEqual([replies, pending.count], [[0x64], 0])
  pending.detach()
})
