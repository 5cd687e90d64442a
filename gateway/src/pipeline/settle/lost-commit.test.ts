import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJob, attempt, isInFlight, longStep, recordJobs } from '../../../test/support/fixtures.ts'
import { emptyOutbox } from '../../../test/support/pipeline/outbox.ts'
import { createProxy } from '../../../test/support/engines/proxy.ts'
import { testScope } from '../../../test/support/pipeline/settle-scope.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { waitFor } from '../../../test/support/wait.ts'
import type { SettleJob } from '../../jobs/jobs.ts'
import { openDatabase, type Database } from '../../platform/database/database.ts'
import { recordAttempts } from '../../records/attempts/attempts.ts'
import { createReceiptSink } from '../receipts/receipts.ts'
import { settleBatch, type SettleResult } from './batch.ts'

const { database, url } = await createTestDatabase()
const metrics = testMetrics()

async function settle(connected: Database, job: SettleJob): Promise<SettleResult | undefined> {
  const context = { database: connected, metrics, outbox: emptyOutbox }
  return (await settleBatch(context, [{ job, isStored: true }], testScope())).results[0]
}

/** Settles the job so that it is committed and the response to the commit does not arrive. */
async function settleAndLoseResponse(job: SettleJob): Promise<void> {
  // A deferred trigger holds the commit until the proxy no longer passes responses on.
  const proxy = await createProxy(url)
  const proxied = openDatabase(proxy.url, silentLog, { connections: 1 })
  addCleanup(() => proxied.end())
  await database.query(`
    create function wait_at_commit() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(1); return null; end $$;
    create constraint trigger wait_at_commit after update on attempts
      deferrable initially deferred for each row execute function wait_at_commit()`)
  const holder = await database.connect()
  try {
    await holder.query('select pg_advisory_lock(1)')
    const settling = assert.rejects(settle(proxied, job))
    await waitFor('the commit', async () => {
      const waiting = await database.query(
        `select from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`,
      )
      return waiting.rowCount === 1
    })
    proxy.mute()
    await holder.query('select pg_advisory_unlock(1)')
    await waitFor('the effect', async () => {
      const written = await database.query('select from attempts where receipts > 0')
      return written.rowCount! > 0
    })
    proxy.cut()
    await settling
  } finally {
    holder.release()
  }
  await database.query('drop trigger wait_at_commit on attempts')
}

test('a receipt without an id counts for one part if its batch is settled again', async () => {
  const [key] = await recordJobs(database, [acceptedJob({ steps: [longStep] })])
  const unknown = { outcome: 'unknown', carrierId: null, code: 'timeout' } as const
  const rows = [1, 2].map((part) => attempt(key!, { part, parts: 2, ...unknown }))
  await recordAttempts(database, rows)
  const jobs: SettleJob[] = []
  const sink = createReceiptSink((job) => Promise.resolve(void jobs.push(job)), metrics)
  const { routeId, recipient } = rows[0]!
  await sink(routeId, {
    carrierId: null,
    result: 'delivered',
    cause: 'delivered',
    code: 'DELIVRD:000',
    recipient,
    sender: '0234567890',
    at: null,
  })

  await settleAndLoseResponse(jobs[0]!)
  assert.equal(await settle(database, jobs[0]!), 'repeated')

  // Part 1 has counted the receipt and its repetition; part 2 has none.
  const stored = await database.query<{ receipts: number }>('select receipts from attempts order by part')
  assert.deepEqual(
    stored.rows.map(({ receipts }) => receipts),
    [2, 0],
  )
  assert.equal(await isInFlight(database, key!.msgKey), true)
})
