/** The operator's words about a message that is not there: where it was looked for, and what to check. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainAbsence } from './message.ts'

const config = { retentionDays: 30, cell: '00', queuePrefix: 'postern.' }
const key = '2026111502322500000ABCDEFGHIJKLM'

test('an unknown key is told where it was looked for and what to check next', () => {
  const told = explainAbsence(key, config)
  for (const words of [key, '2026-11-15', '30 days', 'postern.accepted', 'postern parked list']) {
    assert.ok(told.includes(words), words)
  }
})

test('a key of another cell is sent there', () => {
  const told = explainAbsence(key, { ...config, cell: 'K7' })
  assert.ok(told.includes('its cell is 00, and this gateway is K7'))
  assert.ok(!told.includes('accepted until a worker'))
})
