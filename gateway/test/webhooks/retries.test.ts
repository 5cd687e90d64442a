import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeRetries } from './retries.ts'

const schedule = [1_000, 2_000]

test('a try within its jitter and the tolerance is right', () => {
  const { count, right, maxLateMs } = judgeRetries([[0, 1_000, 3_500], [0, 1_250], [7]], schedule, 100)
  assert.deepEqual([count, right, maxLateMs], [3, 3, 100])
})

test('a try that is early, late or too many is told', () => {
  const figures = judgeRetries(
    [
      [0, 900],
      [0, 1_000, 6_000],
      [0, 1_000, 3_000, 4_000],
    ],
    schedule,
    100,
  )
  const { count, right, early, maxEarlyMs, maxLateMs, tooOften } = figures
  assert.deepEqual([count, right, early, tooOften], [5, 3, 1, 1])
  assert.deepEqual([maxEarlyMs, maxLateMs], [98, 2_600])
})
