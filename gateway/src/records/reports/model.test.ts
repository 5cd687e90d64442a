/**
 * Polling with concurrent writers, pollers, acknowledgements and crashes: some hundred interleavings here, a
 * hundred thousand with `npm run suite -- reports:model`.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { emptyHistory, checkHistory } from '../../../test/model/reports/poll-history.ts'
import { runSchedules, schedules } from '../../../test/model/reports/interleavings.ts'

const { database } = await createTestDatabase()

test('every record is returned, none is skipped, and none is returned after its acknowledgement', async () => {
  await fc.assert(
    fc.asyncProperty(schedules(30, 3), (drawn) => runSchedules(database, drawn)),
    { numRuns: 10, endOnFailure: true },
  )
})

const batch = (reportId: string, refs: string[], startedAt: number) => ({ reportId, refs, startedAt })

test('the check of the model detects skipped, lost, repeated and changed records', () => {
  const committed = new Set(['1', '2', '3'])
  const good = {
    ...emptyHistory(),
    committed,
    handed: [batch('a', ['1', '2'], 1), batch('b', ['3'], 3)],
    acknowledged: [
      { reportId: 'a', respondedAt: 2 },
      { reportId: 'b', respondedAt: 4 },
    ],
  }
  checkHistory(good, ['1', '2', '3'])
  const wrong = [
    { ...good, handed: [batch('a', ['1'], 1), batch('b', ['3'], 3)] },
    { ...good, handed: [...good.handed, batch('a', ['1', '2'], 5)] },
    { ...good, handed: [...good.handed, batch('b', ['3', '2'], 3)] },
    { ...good, acknowledged: good.acknowledged.slice(0, 1) },
    { ...good, committed: new Set([...committed, '4']) },
  ]
  for (const history of wrong) assert.throws(() => checkHistory(history, ['1', '2', '3']))
})
