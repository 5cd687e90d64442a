import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SubmissionLog } from './submission-log.ts'
import type { LoggedSubmission } from './submission-log.ts'

function entry(id: string, change: Partial<LoggedSubmission> = {}): LoggedSubmission {
  return { id, from: '100', to: '200', dataCoding: 0, octets: 'hello', part: undefined, ...change }
}

test('lists submissions with the number of times each was seen', () => {
  const record = new SubmissionLog(10)
  record.add(entry('1'))
  record.add(entry('2', { to: '201', dataCoding: 8, octets: '\xd5\x5c' }))
  record.add(entry('3'))
  record.add(entry('4', { to: '202', dataCoding: 14, octets: '\xb0\xa1' }))
  const seen = record
    .list(undefined, 10)
    .map(({ id, text, hex, count }) => ({ id, text: text ?? hex, count }))
  assert.deepEqual(seen, [
    { id: '1', text: 'hello', count: 2 },
    { id: '2', text: '한', count: 1 },
    { id: '3', text: 'hello', count: 2 },
    { id: '4', text: 'b0a1', count: 1 },
  ])
  assert.deepEqual(
    record.list('200', 1).map(({ id }) => id),
    ['3'],
  )
})

test('distinguishes parts by reference and sequence, or only by sequence', () => {
  const record = new SubmissionLog(10)
  record.add(entry('1', { part: { ref: 1, total: 2, sequence: 1 } }))
  record.add(entry('2', { part: { ref: 1, total: 2, sequence: 2 } }))
  record.add(entry('3', { part: { ref: 9, total: 2, sequence: 1 } }))
  assert.deepEqual(record.duplicates(true), [])
  const [duplicate, ...others] = record.duplicates(false)
  assert.deepEqual(duplicate?.ids, ['1', '3'])
  assert.equal(duplicate.count, 2)
  assert.deepEqual(others, [])
})

test('keeps at most its limit and counts dropped entries', () => {
  const record = new SubmissionLog(3)
  for (let count = 1; count <= 8; count++) record.add(entry(String(count)))
  assert.deepEqual(
    record.list(undefined, 10).map(({ id }) => id),
    ['6', '7', '8'],
  )
  assert.equal(record.dropped, 5)
})
