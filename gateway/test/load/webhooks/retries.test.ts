import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkRetries } from './retries.ts'

const schedule = [1_000, 2_000]

test('an attempt within its jitter and the tolerance is on schedule', () => {
  const { count, onSchedule, maxLateMs } = checkRetries([[0, 1_000, 3_500], [0, 1_250], [7]], schedule, 100)
  assert.deepEqual([count, onSchedule, maxLateMs], [3, 3, 100])
})

test('early, late and surplus attempts are counted', () => {
  const figures = checkRetries(
    [
      [0, 900],
      [0, 1_000, 6_000],
      [0, 1_000, 3_000, 4_000],
    ],
    schedule,
    100,
  )
  const { count, onSchedule, early, maxEarlyMs, maxLateMs, tooOften } = figures
  assert.deepEqual([count, onSchedule, early, tooOften], [5, 3, 1, 1])
  // 100 ms early, of which 2 ms count as rounding of the stored times; 5 s instead of at most 2.4 s.
  assert.deepEqual([maxEarlyMs, maxLateMs], [98, 2_600])
})
