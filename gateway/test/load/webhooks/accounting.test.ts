import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reportEventId } from '../../../src/edge/webhooks/body.ts'
import { saveFailures } from '../../../src/edge/webhooks/push/save-progress.ts'
import { createTestDatabase } from '../../support/engines/database.ts'
import { countStates, readOpen, readUnpollable } from './accounting.ts'
import { writeReports } from './reports.ts'
import { addTargets } from './targets.ts'

const { database } = await createTestDatabase()

test('separates lost reports from stored, abandoned and acknowledged ones', async () => {
  const mix = { endpoints: 1, dead: 0, slow: 0, flaky: 0 }
  const [target] = await addTargets(database, mix, ['http://127.0.0.1:9'])
  const { webhookId, accountId, written, acknowledged } = target!
  const keys = await writeReports(database, accountId, 6)
  for (const key of keys) written.set(key, 0)
  // The cursor has passed five of the six.
  await database.query('update webhook_cursors set seq = 5 where webhook_id = $1', [webhookId])
  const now = new Date()
  const failed = (n: number, tries: number, retryAt: Date | null): Parameters<typeof saveFailures>[1][0] => ({
    webhookId,
    eventId: reportEventId(keys[n]!, 1),
    msgKey: keys[n]!,
    step: 1,
    notice: null,
    createdAt: now,
    tries,
    retryAt,
    failedAt: now,
    httpStatus: 500,
    error: 'answered 500',
  })
  await saveFailures(database, [failed(1, 1, now), failed(2, 3, null), failed(3, 2, null)])
  acknowledged.add(keys[0]!)
  written.set('never-written', 0)

  const open = await readOpen(database, [target!], 3)
  assert.deepEqual(countStates(open), { behind: 1, retrying: 1, givenUp: 1, stopped: 1, lost: 2 })
  const lost = open.filter(({ state }) => state === 'lost').map(({ msgKey }) => msgKey)
  assert.deepEqual(lost.sort(), [keys[4]!, 'never-written'].sort())
  assert.deepEqual(await readUnpollable(database, open), [])

  await database.query('delete from reports where msg_key = $1', [keys[2]])
  assert.deepEqual(
    (await readUnpollable(database, open)).map(({ msgKey }) => msgKey),
    [keys[2]],
  )
})
