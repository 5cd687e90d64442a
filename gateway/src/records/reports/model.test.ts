/**
 * Polling under writers, pollers, acknowledgements and crashes at once. Some hundred interleavings here; a hundred
 * thousand by `npm run reports:model`.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createTestDatabase } from '../../../test/support/database.ts'
import { emptyHistory, judge } from '../../../test/reports/poll-history.ts'
import { runSchedules, schedules } from '../../../test/reports/interleavings.ts'

const { database } = await createTestDatabase()

test('every record is handed out, none after its acknowledgement, none skipped', async () => {
  await fc.assert(
    fc.asyncProperty(schedules(30, 3), (drawn) => runSchedules(database, drawn)),
    { numRuns: 10, endOnFailure: true },
  )
})

const batch = (reportId: string, refs: string[], asked: number) => ({ reportId, refs, asked })

test('the check of the model detects a record that was skipped, lost, handed out again or changed', () => {
  const committed = new Set(['1', '2', '3'])
  const good = {
    ...emptyHistory(),
    committed,
    handed: [batch('a', ['1', '2'], 1), batch('b', ['3'], 3)],
    acknowledged: [
      { reportId: 'a', answered: 2 },
      { reportId: 'b', answered: 4 },
    ],
  }
  judge(good, ['1', '2', '3'])
  const wrong = [
    { ...good, handed: [batch('a', ['1'], 1), batch('b', ['3'], 3)] },
    { ...good, handed: [...good.handed, batch('a', ['1', '2'], 5)] },
    { ...good, handed: [...good.handed, batch('b', ['3', '2'], 3)] },
    { ...good, acknowledged: good.acknowledged.slice(0, 1) },
    { ...good, committed: new Set([...committed, '4']) },
  ]
  for (const history of wrong) assert.throws(() => judge(history, ['1', '2', '3']))
})
