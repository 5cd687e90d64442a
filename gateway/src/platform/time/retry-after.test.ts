import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRetryAfter } from './retry-after.ts'

test('reads Retry-After as seconds or as a date, and nothing else', () => {
  const nowMs = Date.parse('2026-11-15T00:00:00Z')
  const read = (header: string | undefined): number | null => parseRetryAfter(header, nowMs, 86_400_000)
  assert.equal(read('0'), 0)
  assert.equal(read(' 120 '), 120_000)
  assert.equal(read('Sun, 15 Nov 2026 00:01:00 GMT'), 60_000)
  assert.equal(read('999999999'), 86_400_000)
  assert.equal(read('Sun, 15 Nov 2099 00:01:00 GMT'), 86_400_000)
  for (const wrong of [undefined, '', '-5', '1.5', 'soon', '2026-11-15', 'Sat, 14 Nov 2026 00:00:00 GMT'])
    assert.equal(read(wrong), null, wrong)
})
