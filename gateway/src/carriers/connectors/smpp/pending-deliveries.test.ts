import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PendingDeliveries } from './pending-deliveries.ts'
import type { SmppDelivery } from './pending-deliveries.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import { statuses as commandStatuses } from '../../smpp/status.ts'

const temporaryError = commandStatuses.ESME_RX_T_APPN

interface Setup {
  readonly pending: PendingDeliveries
  readonly readerCalls: string[]
  readonly statuses: number[]
  shed: number
  readonly deliver: () => void
  /** Completes the oldest pending delivery. */
  readonly store: () => Promise<void>
}

function setUp(limit: number, stallMs: number): Setup {
  const open: ((commandStatus: number) => void)[] = []
  const readerCalls: string[] = []
  const statuses: number[] = []
  const pending = new PendingDeliveries(
    limit,
    stallMs,
    () => new Promise((resolve) => open.push(resolve)),
    () => (setup.shed += 1),
  )
  pending.attach({ pause: () => readerCalls.push('pause'), resume: () => readerCalls.push('resume') })
  const setup: Setup = {
    pending,
    readerCalls,
    statuses,
    shed: 0,
    deliver: () => pending.add({} as SmppDelivery, (commandStatus) => statuses.push(commandStatus)),
    store: async () => {
      const before = statuses.length
      open.shift()?.(0)
      await waitFor('the response', () => statuses.length > before)
    },
  }
  return setup
}

test('stops reading at the limit and resumes at three quarters of it', async () => {
  const { pending, readerCalls, deliver, store } = setUp(4, 60_000)
  for (let count = 0; count < 3; count += 1) deliver()
  assert.deepEqual(readerCalls, [])
  deliver()
  assert.deepEqual([readerCalls, pending.count], [['pause'], 4])
  await store()
  assert.deepEqual(readerCalls, ['pause', 'resume'])
  pending.detach()
})

test('sheds load when the store stays stuck, and accepts deliveries again when it recovers', async () => {
  const setup = setUp(2, 5)
  const { pending, readerCalls, statuses, deliver, store } = setup
  deliver()
  deliver()
  await waitFor('the shedding', () => setup.shed === 1)
  assert.deepEqual(readerCalls, ['pause', 'resume'])
  deliver()
  assert.deepEqual([statuses, pending.count], [[temporaryError], 2])
  await store()
  deliver()
  assert.deepEqual([statuses, pending.count, readerCalls.at(-1)], [[temporaryError, 0], 2, 'pause'])
  pending.detach()
})

test('pending deliveries of the previous session count against the limit', () => {
  const { pending, statuses, deliver } = setUp(1, 60_000)
  deliver()
  pending.detach()
  pending.attach({ pause: () => undefined, resume: () => undefined })
  deliver()
  assert.deepEqual([statuses, pending.count], [[temporaryError], 1])
  pending.detach()
})

test('a failed handler causes a temporary error, so that the carrier delivers again', async () => {
  const statuses: number[] = []
  const pending = new PendingDeliveries(
    1,
    60_000,
    () => Promise.reject(new Error('no')),
    () => undefined,
  )
  pending.add({} as SmppDelivery, (commandStatus) => statuses.push(commandStatus))
  await waitFor('the response', () => statuses.length === 1)
  assert.deepEqual([statuses, pending.count], [[temporaryError], 0])
  pending.detach()
})
