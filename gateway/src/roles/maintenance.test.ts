/** Maintenance follows PostgreSQL's clock, and deletes and erases only while the host's clock agrees with it. */
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { jumpClockAhead } from '../../test/support/pipeline/clock-jump.ts'
import { createAccount, recordOne } from '../../test/support/fixtures.ts'
import { joinMembers } from '../../test/support/membership.ts'
import { createFileTestBed, newFile, rowCount } from '../../test/support/files/test-bed.ts'
import { createMemoryLog } from '../../test/support/memory-log.ts'
import { silentLog, testMetrics } from '../../test/support/silent-log.ts'
import { waitFor } from '../../test/support/wait.ts'
import { insertPendingFile, markStored } from '../records/files/queries.ts'
import { retentionAfterExpiryMs, computeRemovalTime } from '../records/files/storage/removal.ts'
import { clock } from '../platform/time/clock.ts'
import { inTransaction } from '../platform/database/database.ts'
import { closeMessages } from '../records/messages/close.ts'
import { toKeyDay } from '../records/partitions.ts'
import { startMaintenance } from './maintenance.ts'
import type { Runtime } from './runtime.ts'

const { database, store } = await createFileTestBed()
const runtime = {
  config: { retentionDays: 30, timeZone: 'Asia/Seoul' },
  database,
  metrics: testMetrics(),
  log: silentLog,
} as unknown as Runtime

test("deletions and erasures wait while the host's clock disagrees with PostgreSQL's", async (t) => {
  const horizon = { read: () => Promise.resolve(null) }
  const { maxSkewMs } = clock
  t.after(() => (clock.maxSkewMs = maxSkewMs))
  const file = newFile({ expiresAt: new Date(Date.now() - retentionAfterExpiryMs - 1_000) })
  await insertPendingFile(database, file, computeRemovalTime(file))
  await store.put(file.key, Readable.from([Buffer.from('bytes')]))
  await markStored(database, file.key, computeRemovalTime(file))
  const accountId = await createAccount(database, 'maintained', { eraseAfterDays: 0 })
  const key = await recordOne(database, { accountId })
  const at = new Date(Date.now() - 1_000)
  await inTransaction(database, (transaction) =>
    closeMessages(transaction, [{ ...key, cause: 'delivered', parts: 1, sentAt: at, at }]),
  )
  const isErased = async (): Promise<boolean> => {
    const { rows } = await database.query<{ recipient: string }>(
      'select recipient from messages where msg_key = $1',
      [key.msgKey],
    )
    return rows[0]!.recipient === ''
  }

  await database.query(
    `insert into cap_counts (account_id, period, class, begins, used) values ($1, 'day', 'all', '2020-01-01', 1)`,
    [accountId],
  )
  const hasCounts = async (): Promise<boolean> =>
    (await database.query('select from cap_counts')).rowCount === 1

  // Below every measured skew, so the clocks count as different.
  clock.maxSkewMs = -1
  const refusing = startMaintenance(runtime, joinMembers(database), { store, horizon })
  await delay(300)
  await refusing.stop()
  assert.deepEqual([await rowCount(database), await isErased(), await hasCounts()], [1, false, true])

  clock.maxSkewMs = maxSkewMs
  const working = startMaintenance(runtime, joinMembers(database), { store, horizon })
  t.after(() => working.stop())
  await waitFor('file, text and counts to go', async () => {
    return (await rowCount(database)) === 0 && (await isErased()) && !(await hasCounts())
  })
})

test('a retention shorter than the lifetime of reports is logged at the start', async () => {
  const horizon = { read: () => Promise.resolve(null) }
  const warnings = async (retentionDays: number): Promise<string[]> => {
    const { log, lines } = createMemoryLog()
    const config = { ...runtime.config, retentionDays }
    await startMaintenance({ ...runtime, config, log }, joinMembers(database), { store, horizon }).stop()
    return lines.filter((line) => line.includes('POSTERN_RETENTION_DAYS'))
  }
  assert.match((await warnings(2)).join(), /polled/)
  assert.match((await warnings(29)).join(), /inquiry/)
  assert.deepEqual(await warnings(30), [])
})

test('a new day of PostgreSQL is prepared within seconds', async (t) => {
  const horizon = { read: () => Promise.resolve(null) }
  const maintenance = startMaintenance(runtime, joinMembers(database), { store, horizon })
  t.after(() => maintenance.stop())
  const hasDay = async (offset: number): Promise<boolean> => {
    const name = `reports_${toKeyDay(new Date(), offset)}`
    return (await database.query('select from pg_class where relname = $1', [name])).rowCount === 1
  }
  await waitFor('tomorrow', () => hasDay(1))
  jumpClockAhead(t, 86_400_000)
  await waitFor('the day after tomorrow', () => hasDay(2))
})
