/** The bound on receipts in hand: stopping, shedding, recovering. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Inbox } from './inbox.ts'
import type { Delivery } from './inbox.ts'
import { waitFor } from '../../../test/support/wait.ts'

interface Desk {
  readonly inbox: Inbox
  readonly valve: string[]
  readonly replies: number[]
  shed: number
  readonly deliver: () => void
  /** Stores the oldest that is in hand. */
  readonly store: () => Promise<void>
}

function desk(limit: number, stallMs: number): Desk {
  const open: ((commandStatus: number) => void)[] = []
  const valve: string[] = []
  const replies: number[] = []
  const inbox = new Inbox(
    limit,
    stallMs,
    () => new Promise((resolve) => open.push(resolve)),
    () => (made.shed += 1),
  )
  inbox.attach({ pause: () => valve.push('pause'), resume: () => valve.push('resume') })
  const made: Desk = {
    inbox,
    valve,
    replies,
    shed: 0,
    deliver: () => inbox.take({} as Delivery, (commandStatus) => replies.push(commandStatus)),
    store: async () => {
      const before = replies.length
      open.shift()?.(0)
      await waitFor('the reply', () => replies.length > before)
    },
  }
  return made
}

test('stops reading at the bound and reads again well below it', async () => {
  const { inbox, valve, deliver, store } = desk(4, 60_000)
  for (let count = 0; count < 3; count += 1) deliver()
  assert.deepEqual(valve, [])
  deliver()
  assert.deepEqual([valve, inbox.inHand], [['pause'], 4])
  await store()
  assert.deepEqual(valve, ['pause', 'resume'])
  inbox.detach()
})

test('sheds when the store stays stuck, and takes again when it recovers', async () => {
  const made = desk(2, 5)
  const { inbox, valve, replies, deliver, store } = made
  deliver()
  deliver()
  await waitFor('the shedding', () => made.shed === 1)
  assert.deepEqual(valve, ['pause', 'resume'])
  deliver()
  assert.deepEqual([replies, inbox.inHand], [[0x64], 2])
  await store()
  deliver()
  assert.deepEqual([replies, inbox.inHand, valve.at(-1)], [[0x64, 0], 2, 'pause'])
  inbox.detach()
})

test('a new session does not lift the bound', () => {
  const { inbox, replies, deliver } = desk(1, 60_000)
  deliver()
  inbox.detach()
  inbox.attach({ pause: () => undefined, resume: () => undefined })
  deliver()
  assert.deepEqual([replies, inbox.inHand], [[0x64], 1])
  inbox.detach()
})

test('a handler that fails asks for the delivery again', async () => {
  const replies: number[] = []
  const inbox = new Inbox(
    1,
    60_000,
    () => Promise.reject(new Error('no')),
    () => undefined,
  )
  inbox.take({} as Delivery, (commandStatus) => replies.push(commandStatus))
  await waitFor('the reply', () => replies.length === 1)
  assert.deepEqual([replies, inbox.inHand], [[0x64], 0])
  inbox.detach()
})
