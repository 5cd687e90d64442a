/** Reading due deliveries while the last tries of the same deliveries are being saved, with a real database. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { atEnd } from '../../test/support/cleanup.ts'
import { createTestDatabase } from '../../test/support/database.ts'
import { createAccount } from '../../test/support/fixtures.ts'
import { waitFor } from '../../test/support/wait.ts'
import { openReceiver } from '../../test/webhooks/receiver.ts'
import { loopbackGuard, startTestPusher, writeReports } from '../../test/webhooks/reports.ts'
import type { Database } from '../platform/database.ts'
import { addWebhook, requireWebhook } from './actions.ts'

const { database } = await createTestDatabase()

/** Delays the result of the read of due deliveries. */
function delayDueReads(lateMs: number): Database {
  const query = async (statement: { name?: string }): Promise<unknown> => {
    const result = await database.query(statement as { text: string })
    if (statement.name === 'read-due-deliveries') await pause(lateMs)
    return result
  }
  const own = { query: (statement: unknown, values?: unknown[]) => ask(statement, values) }
  const ask = (statement: unknown, values?: unknown[]): Promise<unknown> =>
    typeof statement === 'string' ? database.query(statement, values) : query(statement as { name?: string })
  return Object.assign(Object.create(database) as Database, own)
}

test('a delivery that was read before its last try was saved is not tried twice', async (t) => {
  const accountId = await createAccount(database, 'webhook-late-reader')
  const receiver = await openReceiver()
  atEnd(() => receiver.close())
  const failed = new Set<string>()
  receiver.answer = ({ eventId }) => {
    const known = receiver.arrivals.filter((one) => one.eventId === eventId).length > 1
    // Every second push fails, so that the circuit breaker stays closed.
    if (known || receiver.arrivals.length % 2 === 0) return { status: 200, afterMs: 30 }
    failed.add(eventId)
    return { status: 500 }
  }
  const { id } = await addWebhook({ database, guard: loopbackGuard }, accountId, { url: receiver.url })
  const pusher = startTestPusher(delayDueReads(100))
  t.after(() => pusher.stop())
  await writeReports(database, accountId, 60)
  await waitFor('nothing more to try', async () => {
    const { behind, retrying } = await requireWebhook(database, accountId, id)
    return behind + retrying === 0
  })
  assert.ok(failed.size > 10, String(failed.size))
  assert.equal(receiver.arrivals.length, 60 + failed.size)
})
