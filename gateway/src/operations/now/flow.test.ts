import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { waitFor } from '../../../test/support/wait.ts'
import type { Database } from '../../platform/database/database.ts'
import { FlowMeter } from './flow.ts'

test('rates are unknown at the first reading, then count rows inserted since', async () => {
  const { database } = await createTestDatabase()
  const meter = new FlowMeter()
  assert.deepEqual(await meter.read(database), { recorded: null, submitted: null, reported: null })
  const key = (
    await database.query<{ bound: string }>(
      `select substring(pg_get_expr(relpartbound, oid) from $$FROM \\('([^']*)'\\)$$) as bound
       from pg_class where oid in (select inhrelid from pg_inherits where inhparent = 'reports'::regclass)
        and pg_get_expr(relpartbound, oid) <> 'DEFAULT' limit 1`,
    )
  ).rows[0]!.bound
  await database.query(
    `insert into reports (msg_key, step, account_id, seq, service_type, msg_type, sent_at, reported_at, report_code, report_text, carrier, parts)
     select $1, n, 1, n, 'SMS', 'sms', now(), now(), '10000', 'text', 'skt', 1 from generate_series(1, 100) n`,
    [key],
  )
  const flow = await waitFor('a rate of reports', async () => {
    const read = await meter.read(database)
    return read.reported !== null && read.reported > 0 ? read : undefined
  })
  assert.equal(flow.recorded, 0)
  assert.equal(flow.submitted, 0)
})

test('a dropped partition causes no negative rate', async () => {
  let inserted = 1_000
  const database = {
    query: () => Promise.resolve({ rows: [{ name: 'messages', inserted }] }),
  } as unknown as Database
  const meter = new FlowMeter()
  await meter.read(database)
  inserted = 10
  assert.equal(await waitFor('a rate of messages', async () => (await meter.read(database)).recorded), 0)
})
