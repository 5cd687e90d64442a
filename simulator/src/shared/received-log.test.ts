import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ReceivedLog } from './received-log.ts'

const entry = (id: string, to: string, key: string) => ({ id, to, key, text: `text of ${key}` })

test('lists the newest entries in order with the number of submissions, and the duplicates', () => {
  const log = new ReceivedLog<ReturnType<typeof entry>>(10)
  for (const [id, to, key] of [
    ['1', '010', 'a'],
    ['2', '011', 'b'],
    ['3', '010', 'a'],
  ] as const) {
    log.add(entry(id, to, key))
  }
  assert.deepEqual(log.list('010'), [
    { id: '1', to: '010', text: 'text of a', count: 2 },
    { id: '3', to: '010', text: 'text of a', count: 2 },
  ])
  assert.deepEqual(
    log.list(undefined, 2).map(({ id }) => id),
    ['2', '3'],
  )
  assert.deepEqual(log.duplicates(), [{ id: '1', to: '010', text: 'text of a', count: 2, ids: ['1', '3'] }])
})

test('keeps at most its limit and counts dropped entries', () => {
  const log = new ReceivedLog<ReturnType<typeof entry>>(3)
  for (let id = 0; id < 10; id++) log.add(entry(String(id), '010', String(id)))
  assert.deepEqual(
    log.list(undefined).map(({ id }) => id),
    ['7', '8', '9'],
  )
  assert.equal(log.dropped, 7)
})

test('keeps at most its limit of bytes', () => {
  const maxBytes = 100
  const entryBytes = 30
  const small = new ReceivedLog<ReturnType<typeof entry>>(1000, maxBytes)
  for (let id = 0; id < 5000; id++) small.add(entry(String(id), '010', String(id)), entryBytes)
  assert.deepEqual(
    small.list(undefined).map(({ id }) => id),
    ['4997', '4998', '4999'],
  )
  assert.equal(small.dropped, 4997)
})

test('keeps nothing with the limit 0', () => {
  const none = new ReceivedLog<ReturnType<typeof entry>>(0)
  none.add(entry('1', '010', 'a'))
  assert.deepEqual([none.list(undefined), none.dropped], [[], 1])
})
