import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operations } from '../src/generated/operations.ts'
import { checkMissing, type KeyFacts } from '../src/screens/messages/message/missing/checks.ts'
import {
  fromLocalInput,
  readMessageSearch,
  readTyped,
  toLocalInput,
} from '../src/screens/messages/search-filter.ts'

const key = '2026111502322500000ABCDEFGHIJKLM'

test('distinguishes msgKey, phone number and ref', () => {
  assert.deepEqual(readTyped(` ${key.toLowerCase()} `), { kind: 'msgKey', msgKey: key })
  assert.deepEqual(readTyped('010-1234-5678'), { kind: 'number', number: '01012345678' })
  assert.deepEqual(readTyped('+82 10 1234 5678'), { kind: 'number', number: '+821012345678' })
  assert.deepEqual(readTyped('order 7'), { kind: 'ref', ref: 'order 7' })
  assert.deepEqual(readTyped('4711'), { kind: 'ref', ref: '4711' })
  assert.deepEqual(readTyped('  '), { kind: 'nothing' })
})

test('ignores invalid values in an address', () => {
  const from = '2026-11-16T00:00:00.000Z'
  assert.deepEqual(
    readMessageSearch({
      account: ' shop ',
      ref: '',
      code: 10_000,
      state: 'lost',
      from,
      until: 'soon',
      more: 1,
    }),
    { account: 'shop', code: '10000', from },
  )
  assert.deepEqual(readMessageSearch({ account: 'x'.repeat(201), state: 'open' }), { state: 'open' })
  assert.equal(fromLocalInput(toLocalInput(from)), from)
  assert.equal(fromLocalInput(''), undefined)
})

const nowMs = Date.UTC(2026, 10, 16, 9)
const facts: KeyFacts = {
  wellFormed: true,
  keyTime: '2026-11-15T02:32:25.000Z',
  cell: '00',
  ownCell: '00',
  retentionDays: 30,
}
const calm = {
  queues: [{ stage: 'accepted', lane: 'normal', messages: 0 }],
  workers: { running: 2 },
  parked: 0,
  ledger: { gap: 0, unrecorded: 0 },
} as unknown as Operations['showNow']['data']
const verdict = (changed: Partial<KeyFacts>, now: object = {}, typed = key): string =>
  checkMissing(typed, { ...facts, ...changed }, { ...calm, ...now }, nowMs).verdict

test('reports no loss only if the ledger is complete', () => {
  assert.equal(verdict({}), 'never')
  assert.equal(verdict({ wellFormed: false, keyTime: null, cell: null }, {}, 'short'), 'malformed')
  assert.equal(verdict({ keyTime: null }), 'malformed')
  assert.equal(verdict({ keyTime: '2026-09-01T00:00:00.000Z' }), 'past')
  assert.equal(verdict({ cell: '07' }), 'elsewhere')
  assert.equal(verdict({}, { queues: [{ stage: 'accepted', lane: 'bulk', messages: 3 }] }), 'waiting')
  assert.equal(verdict({}, { workers: { running: 0 } }), 'waiting')
  assert.equal(verdict({}, { parked: 1 }), 'unsure')
  assert.equal(verdict({}, { ledger: { gap: 0, unrecorded: 1 } }), 'unsure')
  assert.equal(verdict({}, { ledger: { gap: null, unrecorded: null } }), 'unsure')
})
