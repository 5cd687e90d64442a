import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toSelection, type Group } from '../src/screens/parked/choice.ts'

const at = '2026-11-16T00:00:00.000Z'
const group = (reason: string | null, lastId: number): Group => ({
  stage: 'intake',
  reason,
  jobs: 2,
  times: 1,
  oldestAt: at,
  newestAt: at,
  lastId,
})

test('passes a null reason on, and omits the reason for a stage and for all jobs', () => {
  const [without, other] = [group(null, 7), group('error 22021', 9)]
  assert.deepEqual(toSelection({ kind: 'reason', group: without }, [without]), {
    stage: 'intake',
    parkedReason: null,
    lastId: 7,
  })
  assert.deepEqual(toSelection({ kind: 'reason', group: other }, [other]), {
    stage: 'intake',
    parkedReason: 'error 22021',
    lastId: 9,
  })
  const groups = [without, other]
  assert.deepEqual(toSelection({ kind: 'stage', stage: 'intake', groups }, groups), {
    stage: 'intake',
    lastId: 9,
  })
  assert.deepEqual(toSelection({ kind: 'all', groups }, groups), { lastId: 9 })
})
