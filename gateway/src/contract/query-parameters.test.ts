import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTimeParameter } from './query-parameters.ts'

test('accepts the time fractions of Python, Go and Java', () => {
  for (const fraction of ['', '.5', '.577', '.577863', '.551183494'])
    assert.equal(parseTimeParameter(`2026-11-18T16:49:58${fraction}Z`, 'since').getUTCSeconds(), 58)
  assert.throws(() => parseTimeParameter('2026-11-18T16:49:58', 'since'), { code: 'A300', field: 'since' })
})
