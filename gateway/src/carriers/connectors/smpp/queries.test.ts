import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smsStep } from '../../../../test/support/fixtures.ts'
import { linkedCarrier } from '../../../../test/support/smpp/linked-carrier.ts'
import type { Script } from '../../../../test/support/smpp/peer.ts'
import { statuses } from '../../smpp/status.ts'
import type { RecordedSubmission } from '../connector.ts'

const queried: RecordedSubmission = {
  reference: 'R',
  carrierId: '00Ab',
  from: '0215880000',
  to: '+821012345678',
  given: smsStep,
  submittedAt: new Date(),
}

const answerState =
  (messageState: number, errorCode = 0, finalDate = ''): NonNullable<Script['query_sm']> =>
  ({ messageId, sequence }, session) =>
    session.send('query_sm_resp', 0, sequence, { messageId, finalDate, messageState, errorCode })

const answerStatus =
  (commandStatus: number): NonNullable<Script['query_sm']> =>
  ({ messageId, sequence }, session) =>
    session.send('query_sm_resp', commandStatus, sequence, {
      messageId,
      finalDate: '',
      messageState: 0,
      errorCode: 0,
    })

test("a query contains the message id in the carrier's spelling and the sender", async (t) => {
  const { connector, session } = await linkedCarrier(t, { query_sm: answerState(1) }, { lookup: true })
  await connector.lookup!.find(queried)
  const { messageId, source, sourceTon } = await session.got('query_sm')
  assert.deepEqual([messageId, source, sourceTon], ['00Ab', '0215880000', 2])
})

test('a final state becomes a receipt with the time of its date', async (t) => {
  const script = { query_sm: answerState(5, 1, '261118120000036+') }
  const { connector } = await linkedCarrier(t, script, { lookup: true, errors: { '001': 'no-subscriber' } })
  const lookup = await connector.lookup!.find(queried)
  assert.ok(lookup.kind === 'found')
  const { result, cause, code, at } = lookup.receipt!
  assert.deepEqual([result, cause, code], ['failed', 'no-subscriber', 'UNDELIV:001'])
  assert.equal(at?.toISOString(), '2026-11-18T03:00:00.000Z')
})

for (const [state, kind] of [
  [1, 'found'],
  [6, 'found'],
  [7, 'not-found'],
] as const)
  test(`the state ${state} in a query response is ${kind}, without a receipt`, async (t) => {
    const { connector } = await linkedCarrier(t, { query_sm: answerState(state) }, { lookup: true })
    const result = await connector.lookup!.find(queried)
    assert.equal(result.kind, kind)
    assert.ok(result.kind !== 'found' || result.receipt === null)
  })

for (const [status, kind] of [
  [statuses.ESME_RINVMSGID, 'not-found'],
  [statuses.ESME_RQUERYFAIL, 'failed'],
  [statuses.ESME_RTHROTTLED, 'failed'],
] as const)
  test(`a query with the status 0x${status.toString(16)} is ${kind}`, async (t) => {
    const { connector } = await linkedCarrier(t, { query_sm: answerStatus(status) }, { lookup: true })
    assert.equal((await connector.lookup!.find(queried)).kind, kind)
  })

test('a carrier that does not support the commands is queried once', async (t) => {
  const nack: NonNullable<Script['query_sm']> = ({ sequence }, session) =>
    session.send('generic_nack', statuses.ESME_RINVCMDID, sequence, {})
  const { connector, session } = await linkedCarrier(
    t,
    { query_sm: nack, cancel_sm: nack as never },
    { lookup: true },
  )
  for (let time = 0; time < 3; time++) {
    assert.equal((await connector.lookup!.find(queried)).kind, 'failed')
    assert.equal(await connector.revoke!(queried), 'failed')
  }
  assert.deepEqual([session.of('query_sm').length, session.of('cancel_sm').length], [1, 1])
})

for (const [status, result] of [
  [statuses.ESME_ROK, 'revoked'],
  [statuses.ESME_RCANCELFAIL, 'too-late'],
  [statuses.ESME_RSYSERR, 'failed'],
] as const)
  test(`a cancellation with the status 0x${status.toString(16)} is ${result}`, async (t) => {
    const { connector, session } = await linkedCarrier(
      t,
      { cancel_sm: ({ sequence }, peer) => peer.send('cancel_sm_resp', status, sequence, {}) },
      { lookup: true },
    )
    assert.equal(await connector.revoke!(queried), result)
    const { messageId, destination } = await session.got('cancel_sm')
    assert.deepEqual([messageId, destination], ['00Ab', '821012345678'])
  })

test('a route without the option sends no query', async (t) => {
  const { connector } = await linkedCarrier(t, {})
  assert.equal(connector.lookup, undefined)
})
