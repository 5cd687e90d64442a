/**
 * The audit log: the database chains its rows, which cannot be changed, and `verify` detects every way of
 * tampering.
 */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createTestAuditContext } from '../../../test/support/audit-context.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { inTransaction, type Queryable } from '../../platform/database/database.ts'
import { hashRow } from './chain.ts'
import { appendAudit, listAudit, readAuditAfter, readTail } from './queries.ts'
import { verifyAudit, verifyNewest } from './verify.ts'

const { database } = await createTestDatabase()
const entry = { action: 'account block', result: 'done', target: 'shop-1', account: 'shop-1' } as const

async function append(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1)
    await appendAudit(database, createTestAuditContext('kim', `n ${n}, "한글"`), {
      ...entry,
      details: { n, text: 'é\u0000:1,' },
    })
}

/** Runs statements with the rights of the table owner, and rolls them back. */
function tampered(statements: string, check: (transaction: Queryable) => Promise<void>): Promise<void> {
  return inTransaction(database, async (transaction) => {
    await transaction.query('alter table audit_log disable trigger all')
    await transaction.query('alter table audit_tail disable trigger all')
    await transaction.query(statements)
    await check(transaction)
    throw new RolledBack()
  }).catch((error: unknown) => {
    if (!(error instanceof RolledBack)) throw error
  })
}

class RolledBack extends Error {
  override readonly name = 'RolledBack'
}

await append(6)

test('the database sets number, time and hash of a row', async () => {
  await database.query(
    `insert into audit_log (seq, at, actor, role, source, request_id, action, result, target, reason, details, previous_hash, hash)
     values (99, '2001-01-01', 'eve', 'admin', 'x', 'x', 'x', 'done', 'x', 'x', '{}', '\\x00', '\\x00')`,
  )
  const [last] = await listAudit(database, { limit: 1 })
  assert.equal(last!.seq, 7)
  assert.ok(Date.now() - last!.at.getTime() < 600_000)
  assert.deepEqual(await readTail(database), { seq: 7, hash: last!.hash })
  assert.equal(hashRow(last!), last!.hash)
  assert.equal((await verifyAudit(database, [])).broken, null)
})

test('updates, deletions and truncations are refused', async () => {
  for (const statement of [
    `update audit_log set reason = 'other' where seq = 2`,
    'delete from audit_log where seq = 2',
    'truncate audit_log',
    'delete from audit_tail',
    'truncate audit_tail',
  ])
    await assert.rejects(database.query(statement), /the audit log is append-only/, statement)
})

test('concurrent actions are chained, and a rolled back action leaves no row and no gap', async () => {
  const before = await readTail(database)
  await Promise.all(Array.from({ length: 8 }, () => appendAudit(database, createTestAuditContext(), entry)))
  await assert.rejects(
    inTransaction(database, async (transaction) => {
      await appendAudit(transaction, createTestAuditContext(), entry)
      throw new Error('the act failed')
    }),
  )
  await appendAudit(database, createTestAuditContext(), entry)
  const { rows, last, broken } = await verifyAudit(database, [before])
  assert.deepEqual([rows, last.seq, broken], [before.seq + 9, before.seq + 9, null])
})

suite('tampering is detected with its row', () => {
  const cases: readonly [string, string, RegExp][] = [
    ['a changed field', `update audit_log set reason = 'other' where seq = 3`, /^row 3 was changed/],
    ['a changed time', `update audit_log set at = at + interval '1 ms' where seq = 3`, /^row 3 was changed/],
    ['changed details', `update audit_log set details = '{}' where seq = 3`, /^row 3 was changed/],
    [
      'a field moved to the next',
      `update audit_log set target = '', account = target where seq = 3`,
      /^row 3 was changed/,
    ],
    ['a removed row', 'delete from audit_log where seq = 3', /^row 3 is missing; the next one is 4/],
    ['a removed first row', 'delete from audit_log where seq = 1', /^row 1 is missing/],
    [
      'two rows that changed places',
      `update audit_log set seq = -1 where seq = 3; update audit_log set seq = 3 where seq = 4; update audit_log set seq = 4 where seq = -1`,
      /^row 3 does not follow row 2/,
    ],
    [
      'a changed row with a new hash',
      `update audit_log set reason = 'other' where seq = 3;
       update audit_log a set hash = sha256(convert_to(audit_text(a), 'UTF8')) where seq = 3`,
      /^row 4 does not follow row 3/,
    ],
    [
      'a row that was added without the trigger',
      `insert into audit_log select (jsonb_populate_record(a, jsonb_build_object('seq', 99))).* from audit_log a where seq = 3`,
      /^row \d+ is missing; the next one is 99/,
    ],
    ['an emptied log', 'delete from audit_log', /^the log ends at row 0, but its tail is/],
    [
      'a cut end',
      'delete from audit_log where seq > 5',
      /^the log ends at row 5, but its tail is \d+: rows were removed/,
    ],
  ]
  for (const [name, statements, message] of cases)
    test(name, () =>
      tampered(statements, async (transaction) => {
        assert.match((await verifyAudit(transaction, [])).broken ?? 'nothing', message)
      }),
    )

  test('a checkpoint detects an end that was removed with its tail', async () => {
    const checkpoint = await readTail(database)
    const cut = `delete from audit_log where seq > 5;
                 update audit_tail set seq = 5, hash = (select hash from audit_log where seq = 5)`
    await tampered(cut, async (transaction) => {
      assert.equal(
        (await verifyAudit(transaction, [])).broken,
        null,
        'without the checkpoint it cannot be seen',
      )
      const { broken } = await verifyAudit(transaction, [checkpoint])
      assert.match(
        broken!,
        /^the log ends at row 5, but a checkpoint has row \d+: rows were removed at the end/,
      )
    })
  })

  test('a checkpoint detects a log that was rewritten from a row on', async () => {
    const checkpoint = await readTail(database)
    const rows = (await readAuditAfter(database, 0, 1_000)).length
    const again = `create temporary table copied on commit drop as select * from audit_log;
                   delete from audit_log;
                   update audit_tail set seq = 0, hash = decode(repeat('00', 32), 'hex');
                   alter table audit_log enable trigger audit_log_chain;
                   insert into audit_log select * from copied order by seq`
    await tampered(again, async (transaction) => {
      assert.equal((await verifyAudit(transaction, [])).broken, null)
      const { broken } = await verifyAudit(transaction, [checkpoint])
      assert.match(broken!, new RegExp(`^row ${rows} differs from its checkpoint`))
    })
  })
})

test('a row that is added during a verification is left to the next one', async () => {
  const before = await readTail(database)
  const query = async (text: string, values?: unknown[]): Promise<unknown> => {
    const result = await database.query(text, values)
    await append(1)
    return result
  }
  const growing = { query } as unknown as Queryable
  const { last, broken } = await verifyAudit(growing, [])
  assert.deepEqual([last, broken], [before, null])
})

test('a verification ends when the process stops', async () => {
  const signal = AbortSignal.abort()
  await assert.rejects(verifyAudit(database, [], { signal }), (error) => error === signal.reason)
})

test('the newest rows are verified from the previous row on', async () => {
  const tail = await readTail(database)
  const { rows, last, broken } = await verifyNewest(database, 3)
  assert.deepEqual([rows, last, broken], [3, tail, null])
  assert.equal((await verifyNewest(database, 1_000)).rows, tail.seq)
})

test('lists rows newest first, filtered by account, person, command and time', async () => {
  await appendAudit(database, createTestAuditContext('lee'), {
    ...entry,
    action: 'account key add',
    account: 'shop-2',
  })
  const one = async (filter: object) =>
    (await listAudit(database, { ...filter, limit: 5 })).map(({ actor }) => actor)
  assert.deepEqual(await one({ account: 'shop-2' }), ['lee'])
  assert.deepEqual(await one({ by: 'lee' }), ['lee'])
  assert.deepEqual(await one({ action: 'account key' }), ['lee'])
  assert.deepEqual(await one({ action: 'account ke' }), [])
  assert.deepEqual(await one({ since: new Date(Date.now() + 600_000) }), [])
  assert.deepEqual(await one({ until: new Date(Date.now() - 600_000) }), [])
  assert.deepEqual(await one({ target: 'shop-1', result: 'done', action: 'account key add' }), ['lee'])
  assert.deepEqual(await one({ result: 'looked' }), [])
  const [newest] = await listAudit(database, { limit: 1 })
  assert.deepEqual(await one({ requestId: newest!.requestId, by: 'lee' }), ['lee'])
})
