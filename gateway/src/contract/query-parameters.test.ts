import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTime } from './query-parameters.ts'

test('a time may have the fraction that Python, Go and Java write', () => {
  for (const fraction of ['', '.5', '.577', '.577863', '.551183494'])
    assert.equal(readTime(`2026-11-18T16:49:58${fraction}Z`, 'since').getUTCSeconds(), 58)
  assert.throws(() => readTime('2026-11-18T16:49:58', 'since'), { code: 'A300', field: 'since' })
})
