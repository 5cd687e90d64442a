import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAuthenticationFailure, outcomeReader, needsRebind } from './outcome.ts'
import { statuses } from '../../smpp/status.ts'
import { testOptions } from '../../../../test/support/smpp/fixtures.ts'

const response = (commandStatus: number, messageId = '') =>
  ({ kind: 'response', commandStatus, messageId }) as const
const readOutcome = outcomeReader(testOptions())

test('a successful response without an id counts as accepted', () => {
  assert.deepEqual(readOutcome(response(0, '2711')), { kind: 'accepted', carrierId: '2711' })
  assert.deepEqual(readOutcome(response(0)), { kind: 'accepted', carrierId: '' })
})

test('throttles when the carrier requests it', () => {
  for (const commandStatus of [statuses.ESME_RTHROTTLED, statuses.ESME_RMSGQFUL]) {
    const outcome = readOutcome(response(commandStatus))
    assert.ok(outcome.kind === 'throttled')
    assert.equal(outcome.retryAfterMs, 1000)
  }
})

test('a status can have its own pause', () => {
  const readWithPause = outcomeReader(
    testOptions({ commandStatuses: { '0x14': { outcome: 'throttled', pauseMs: 180_000 } } }),
  )
  assert.deepEqual(readWithPause(response(0x14)), {
    kind: 'throttled',
    code: 'smpp:0x00000014',
    retryAfterMs: 180_000,
  })
})

test('a congested acceptance slows the route down', () => {
  const isCongested = (congestion: number, congestionLimit = 90) => {
    const outcome = outcomeReader(testOptions({ congestionLimit }))({ ...response(0, 'a'), congestion })
    return outcome.kind === 'accepted' && outcome.congested === true
  }
  assert.deepEqual(
    [0, 89, 90, 100].map((congestion) => isCongested(congestion)),
    [false, false, true, true],
  )
  assert.deepEqual([isCongested(60, 50), isCongested(255, 101), isCongested(100, 101)], [true, false, false])
  assert.deepEqual(readOutcome({ ...response(0x58), congestion: 99 }), readOutcome(response(0x58)))
})

test('only temporary statuses are retried', () => {
  const kinds = Object.values(statuses).map((commandStatus) => [
    commandStatus,
    readOutcome(response(commandStatus)).kind,
  ])
  const retried = kinds.filter(([, kind]) => kind === 'unreachable').map(([commandStatus]) => commandStatus)
  assert.deepEqual(retried, [statuses.ESME_RINVBNDSTS, statuses.ESME_RSYSERR, statuses.ESME_RX_T_APPN])
  assert.equal(kinds.filter(([, kind]) => kind === 'unknown').length, 0)
})

test('a refusal carries its cause and its code', () => {
  assert.deepEqual(readOutcome(response(0x0b)), {
    kind: 'refused',
    cause: 'bad-number',
    code: 'smpp:0x0000000B',
    text: 'ESME_RINVDSTADR',
  })
  const sender = readOutcome(response(0x0a))
  assert.ok(sender.kind === 'refused' && sender.cause === 'unregistered-sender')
  const vendor = readOutcome(response(0xdeadbeef))
  assert.ok(vendor.kind === 'refused' && vendor.cause === 'refused' && vendor.code === 'smpp:0xDEADBEEF')
})

test('the table of a carrier takes precedence over the standard one', () => {
  const readByTable = outcomeReader(
    testOptions({
      commandStatuses: {
        '0x45': { outcome: 'unreachable' },
        '0x0000040B': { cause: 'spam' },
        '0x14': { outcome: 'unreachable' },
      },
    }),
  )
  assert.equal(readByTable(response(0x45)).kind, 'unreachable')
  assert.equal(readByTable(response(0x14)).kind, 'unreachable')
  const spam = readByTable(response(0x40b))
  assert.ok(spam.kind === 'refused' && spam.cause === 'spam')
  assert.equal(readByTable(response(0x58)).kind, 'throttled')
})

test('a submission without a response is unknown; one that was never sent is unreachable', () => {
  assert.equal(readOutcome({ kind: 'timeout' }).kind, 'unknown')
  assert.equal(readOutcome({ kind: 'lost', written: true, reason: 'connection lost' }).kind, 'unknown')
  assert.equal(readOutcome({ kind: 'lost', written: false, reason: 'connection lost' }).kind, 'unreachable')
})

test('recognizes a lost bind and a refused password', () => {
  assert.equal(needsRebind(response(statuses.ESME_RINVBNDSTS)), true)
  assert.equal(needsRebind(response(statuses.ESME_RSYSERR)), false)
  assert.deepEqual([0x0d, 0x0e, 0x0f, 0x05, 0, null].map(isAuthenticationFailure), [
    true,
    true,
    true,
    false,
    false,
    false,
  ])
})
