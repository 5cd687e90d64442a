/** What an operator reads about a message that does not exist: where it was searched, and what to check. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainAbsence } from '../../acts/messages.ts'

const config = { retentionDays: 30, cell: '00', queuePrefix: 'postern.' }
const key = '2026111502322500000ABCDEFGHIJKLM'

test('the error for an unknown key says where it was searched and what to check next', () => {
  const text = explainAbsence(key, config)
  for (const words of [key, '2026-11-15', '30 days', 'postern.accepted', 'postern parked list']) {
    assert.ok(text.includes(words), words)
  }
})

test('the error for a key of another cell names that cell', () => {
  const text = explainAbsence(key, { ...config, cell: 'K7' })
  assert.ok(text.includes('its cell is 00, and this gateway is K7'))
  assert.ok(!text.includes('accepted until a worker'))
})
