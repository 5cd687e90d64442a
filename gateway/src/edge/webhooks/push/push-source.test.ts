import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { addCleanup } from '../../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../../test/support/engines/database.ts'
import { createAccount } from '../../../../test/support/fixtures.ts'
import { silentLog } from '../../../../test/support/silent-log.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import { openReceiver } from '../../../../test/load/webhooks/receiver.ts'
import {
  loopbackGuard,
  newReport,
  startTestPusher,
  writeReports,
} from '../../../../test/load/webhooks/reports.ts'
import { inTransaction, openDatabase, type Database } from '../../../platform/database/database.ts'
import { toKeyDay, ensureDay } from '../../../records/partitions.ts'
import { maxReplyBytes } from '../../../records/replies/queries.ts'
import { insertReports } from '../../../records/reports/queries.ts'
import { addWebhook, requireWebhook } from '../actions.ts'
import { fetchFresh, type PushReader } from './push-source.ts'

const { database, url } = await createTestDatabase()

/** Delays the result of the read of due deliveries. */
function delayDueReads(lateMs: number): Database {
  const queryNamed = async (statement: { name?: string }): Promise<unknown> => {
    const result = await database.query(statement as { text: string })
    if (statement.name === 'read-due-deliveries') await pause(lateMs)
    return result
  }
  const query = (statement: unknown, values?: unknown[]): Promise<unknown> =>
    typeof statement === 'string'
      ? database.query(statement, values)
      : queryNamed(statement as { name?: string })
  return Object.assign(Object.create(database) as Database, { query })
}

test('a delivery that was read before its last attempt was saved is not repeated', async (t) => {
  const accountId = await createAccount(database, 'webhook-late-reader')
  const receiver = await openReceiver()
  addCleanup(() => receiver.close())
  const failed = new Set<string>()
  receiver.answer = ({ eventId }) => {
    const isRepeated = receiver.arrivals.filter((arrival) => arrival.eventId === eventId).length > 1
    // Every second push fails, so that the circuit breaker stays closed.
    if (isRepeated || receiver.arrivals.length % 2 === 0) return { status: 200, afterMs: 30 }
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

test('reports are read from all days if a sequence number is missing in recent ones', async () => {
  for (let offset = -30; offset <= 62; offset++)
    await ensureDay(database, new Date(Date.now() + offset * 86_400_000), ['reports'])
  const recent = await createAccount(database, 'webhook-recent')
  const mixed = await createAccount(database, 'webhook-cancelled')
  await writeReports(database, recent, 3)
  const [first, scheduled, last] = [newReport(mixed), newReport(mixed), newReport(mixed)]
  // The message was cancelled before its day.
  const cancelled = { ...scheduled, msgKey: toKeyDay(new Date(), 60) + scheduled.msgKey.slice(8) }
  await inTransaction(database, (transaction) => insertReports(transaction, [first, cancelled, last]))
  const session = openDatabase(url, silentLog, { connections: 1 })
  const fetch = (...accountIds: number[]) =>
    inTransaction(session, async (transaction) => {
      const seqs = new Map<number, number[]>()
      const readers = accountIds.map((accountId): [string, PushReader] => {
        const reader: PushReader = {
          webhook: { id: `w${accountId}`, accountId, events: 'reports', reportKeys: 'plain' },
          afterSeq: 0,
          freshCapacity: 10,
          addFresh: (events) =>
            seqs.set(
              accountId,
              events.map(({ seq }) => seq),
            ),
          requestDue: () => 0,
          skipTo: () => undefined,
          addDue: () => undefined,
        }
        return [reader.webhook.id, reader]
      })
      await fetchFresh(transaction, new Map(readers))
      const { rows } = await transaction.query<{ scanned: number }>(
        `select count(*) as scanned from pg_stat_xact_user_tables
          where relname like 'reports_2%' and seq_scan + idx_scan > 0`,
      )
      return { seqs, scanned: rows[0]!.scanned }
    })
  // Recent days are the five from three days ago to tomorrow.
  const alone = await fetch(recent)
  assert.deepEqual([alone.seqs.get(recent), alone.scanned], [[1, 2, 3], 5])
  const both = await fetch(recent, mixed)
  for (const accountId of [recent, mixed]) assert.deepEqual(both.seqs.get(accountId), [1, 2, 3])
  await session.end()
})

test('replies omitted because of their size are read next', async () => {
  const accountId = await createAccount(database, 'webhook-long-replies')
  const count = 150
  await database.query(
    `insert into replies (account_id, seq, reply_key, route_id, service_type, content, parts, missing, from_index, sent_at)
     select $1, n, 'long' || n, 'north', 'SMS', json_build_object('text', repeat('x', 40000)), 1, 0, '', now()
       from generate_series(1, $2::int) n`,
    [accountId, count],
  )
  await database.query('insert into reply_sequences (account_id, last_seq) values ($1, $2)', [
    accountId,
    count,
  ])
  const rounds: number[] = []
  let [afterSeq, skippedTo] = [0, 0]
  const reader: PushReader = {
    webhook: { id: 'w', accountId, events: 'replies', reportKeys: 'full' },
    get afterSeq() {
      return afterSeq
    },
    freshCapacity: 200,
    requestDue: () => 0,
    addFresh(events) {
      assert.deepEqual([events[0]!.seq, events.at(-1)!.seq], [afterSeq + 1, afterSeq + events.length])
      rounds.push(events.length)
      afterSeq += events.length
    },
    skipTo(seq) {
      assert.equal(afterSeq, count)
      skippedTo = seq
    },
    addDue: () => undefined,
  }
  while (await fetchFresh(database, new Map([['w', reader]]))) assert.ok(rounds.length < 10)
  assert.equal(skippedTo, count)
  assert.ok(Math.max(...rounds) * 40_000 < maxReplyBytes + 80_000, rounds.join())
})
