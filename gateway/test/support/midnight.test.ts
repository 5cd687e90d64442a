import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pauseBeforeMidnight } from './midnight.ts'

test('a file that starts in the last minute of a day waits for midnight', () => {
  const at = (time: string): number => pauseBeforeMidnight(Date.parse(`2026-11-16T${time}Z`))
  assert.deepEqual([at('23:59:30.000'), at('14:59:59.999')], [30_000, 1])
  for (const time of ['00:00:00', '14:58:59', '15:00:00', '23:58:59']) assert.equal(at(time), 0, time)
})
