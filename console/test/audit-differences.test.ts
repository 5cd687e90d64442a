import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDetails } from '../src/screens/audit/entry/differences.ts'

test('reads changed fields at any depth and omits equal values', () => {
  const { changes, others } = readDetails({
    weight: { from: 1, to: 2 },
    limits: { send: { from: null, to: 10 } },
    options: { from: { host: 'a', port: 1 }, to: { host: 'a', port: 2, tls: true } },
    same: { from: [1], to: [1] },
    added: { to: 'x' },
    count: 3,
    names: ['a'],
    nothing: {},
  })
  assert.deepEqual(changes, [
    { field: 'weight', before: 1, after: 2 },
    { field: 'limits.send', before: null, after: 10 },
    { field: 'options.port', before: 1, after: 2 },
    { field: 'options.tls', before: undefined, after: true },
    { field: 'added', before: undefined, after: 'x' },
  ])
  assert.deepEqual(others, [
    { field: 'count', value: 3 },
    { field: 'names', value: ['a'] },
    { field: 'nothing', value: {} },
  ])
})

test('returns nothing for missing or malformed details', () => {
  for (const details of [{}, null, undefined, 3, []])
    assert.deepEqual(readDetails(details), { changes: [], others: [] })
})

test('limits the number of fields per row', () => {
  const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`f${n}`, { from: n, to: -1 }]))
  assert.equal(readDetails(many).changes.length, 500)
})
