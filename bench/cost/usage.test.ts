import assert from 'node:assert/strict'
import { test } from 'node:test'
import { costOfMessage, countStatements, type Usage } from './usage.ts'

const idle: Usage = {
  seconds: 10,
  statements: new Map([
    ['begin', 50],
    ['poll', 100],
  ]),
  transactions: 20,
  rows: 30,
  bytes: 5_000,
}

/** Usage of 50 messages in 4 s beside what is idle. */
const usage = (statements: Record<string, number>): Usage => ({
  seconds: 4,
  statements: new Map(Object.entries(statements)),
  transactions: 50 * 4 + 8,
  rows: 50 * 11 + 13,
  bytes: 50 * 3_000 + 2_000,
})

test('the cost of a message omits the statements of an idle installation', () => {
  const cost = costOfMessage(
    usage({ begin: 2 * 50 + 22, 'insert messages': 50, poll: 137, sweep: 1 }),
    idle,
    50,
  )
  assert.deepEqual(
    [...cost.statements],
    [
      ['begin', 2],
      ['insert messages', 1],
    ],
  )
  assert.equal(countStatements(cost.statements), 3)
  assert.deepEqual([cost.transactions, cost.rows, cost.bytes], [4, 11, 3_000])
})

test('work that was more or less frequent than while idle does not count', () => {
  for (const begin of [2 * 50 + 20 - 14, 2 * 50 + 20 + 34])
    assert.deepEqual([...costOfMessage(usage({ begin }), idle, 50).statements], [['begin', 2]])
})
