import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliverBody, recorded, submission } from '../../../../test/support/smpp/fixtures.ts'
import { linkedCarrier } from '../../../../test/support/smpp/linked-carrier.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import { statuses } from '../../smpp/status.ts'

test('acknowledges a receipt only when it is durable', async (t) => {
  let durable = (): void => undefined
  const record = recorded(() => new Promise((resolve) => (durable = resolve)))
  const { session } = await linkedCarrier(t, {}, {}, record)
  session.send('deliver_sm', 0, 5, deliverBody({}, 'id:1 stat:DELIVRD err:000'))
  session.send('enquire_link', 0, 6, {})
  await session.got('enquire_link_resp')
  assert.deepEqual([record.receipts.length, session.of('deliver_sm_resp').length], [1, 0])
  durable()
  const answer = await session.got('deliver_sm_resp')
  assert.deepEqual([answer.sequence, answer.commandStatus, answer.messageId], [5, 0, ''])
})

test('a receipt that cannot be stored gets a temporary error', async (t) => {
  const record = recorded(() => Promise.reject(new Error('the broker is unavailable')))
  const { session } = await linkedCarrier(t, {}, {}, record)
  session.send('deliver_sm', 0, 5, deliverBody({}, 'id:1 stat:DELIVRD err:000'))
  assert.equal((await session.got('deliver_sm_resp')).commandStatus, statuses.ESME_RX_T_APPN)
})

test('passes on and acknowledges a reply without logging its text or number', async (t) => {
  const { session, record } = await linkedCarrier(t)
  session.send('deliver_sm', 0, 5, deliverBody({ esmClass: 0 }, 'I am at home tonight'))
  assert.equal((await session.got('deliver_sm_resp')).commandStatus, 0)
  assert.deepEqual([record.receipts.length, record.events], [0, ['reply']])
  assert.deepEqual(record.replies, [
    { from: '01012345678', to: [{ kind: 'number', value: '0215880000' }], text: 'I am at home tonight' },
  ])
  assert.doesNotMatch(JSON.stringify(record.lines), /home|5678/)
})

test('a reply to a foreign number of type 1 is for the international sender', async (t) => {
  const { session, record } = await linkedCarrier(t)
  const destination = { destinationTon: 1, destination: '12025550123' }
  session.send('deliver_sm', 0, 5, deliverBody({ esmClass: 0, ...destination }, 'STOP'))
  await session.got('deliver_sm_resp')
  assert.deepEqual(record.replies[0]!.to, [{ kind: 'international', value: '+12025550123' }])
})

test('a blocked store pauses reading, then sheds load, and keeps the session', async (t) => {
  const record = recorded(() => new Promise(() => undefined))
  const { connector, session, peer } = await linkedCarrier(
    t,
    {},
    {
      maxPendingReceipts: 2,
      receiptStallMs: 900,
      // Shorter than the stall: time in which reading is paused must not count against the peer.
      enquireIntervalMs: 10,
      enquireTimeoutMs: 300,
      responseTimeoutMs: 500,
    },
    record,
  )
  const open = connector.submit(submission())
  const { sequence } = await session.got('submit_sm')
  for (const number of [1, 2, 3, 4])
    session.send('deliver_sm', 0, number, deliverBody({}, `id:${number} stat:DELIVRD`))
  session.send('submit_sm_resp', 0, sequence, { messageId: 'kept' })
  session.send('enquire_link', 0, 9, {})

  assert.deepEqual(await open, { kind: 'accepted', carrierId: 'kept' })
  await session.got('enquire_link_resp')
  await session.got('deliver_sm_resp', 2)
  assert.deepEqual(
    session.of('deliver_sm_resp').map(({ sequence: number, commandStatus }) => [number, commandStatus]),
    [
      [3, statuses.ESME_RX_T_APPN],
      [4, statuses.ESME_RX_T_APPN],
    ],
  )
  assert.deepEqual(
    [record.receipts.length, record.events, peer.sessions.length],
    [2, ['receipts-deferred'], 1],
  )
})

test('a slow store acknowledges all receipts without load shedding', async (t) => {
  const stored: (() => void)[] = []
  const record = recorded(() => new Promise((resolve) => stored.push(resolve)))
  const { session } = await linkedCarrier(t, {}, { maxPendingReceipts: 3 }, record)
  for (let number = 1; number <= 20; number += 1)
    session.send('deliver_sm', 0, number, deliverBody({}, 'id:1 stat:DELIVRD'))
  for (let done = 0; done < 20;) {
    await waitFor('a receipt', () => stored.length > 0)
    assert.ok(stored.length <= 3)
    for (const store of stored.splice(0)) {
      store()
      done += 1
    }
  }
  await session.got('deliver_sm_resp', 20)
  assert.ok(session.of('deliver_sm_resp').every(({ commandStatus }) => commandStatus === 0))
  assert.deepEqual(record.events, [])
})
