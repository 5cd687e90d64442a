/**
 * Receipts that return our reference: they settle the part they name, even if its response was lost, and only within
 * the login. The report contains the details of the recipient from the receipt.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { attempt, isInFlight, longStep, receiptFor, recordOne } from '../../../test/support/fixtures.ts'
import { emptyOutbox } from '../../../test/support/pipeline/outbox.ts'
import { testRoute } from '../../../test/support/routes.ts'
import { testScope } from '../../../test/support/pipeline/settle-scope.ts'
import { testMetrics } from '../../../test/support/silent-log.ts'
import { toReference } from '../../carriers/connectors/reference.ts'
import type { AcceptedJob, ReceiptJob, SettleJob } from '../../jobs/jobs.ts'
import { recordAttempts, type AttemptRow } from '../../records/attempts/attempts.ts'
import { clock } from '../../platform/time/clock.ts'
import { settleBatch, type SettleResult } from './batch.ts'
import { createScope } from './match.ts'

const { database } = await createTestDatabase()
const metrics = testMetrics()
const login = (host: string) => ({ options: { host, systemId: 'shop' } })
const routes = [
  testRoute('a1', login('a.example')),
  testRoute('a2', login('a.example')),
  testRoute('b', login('b.example')),
]

async function settle(...jobs: SettleJob[]): Promise<SettleResult[]> {
  const items = jobs.map((job) => ({ job, isStored: true }))
  return (await settleBatch({ database, metrics, outbox: emptyOutbox }, items, testScope(routes))).results
}

async function submitted(
  overrides: Partial<AttemptRow> = {},
  message: Partial<AcceptedJob> = {},
): Promise<AttemptRow> {
  const row = attempt(await recordOne(database, message), { routeId: 'a1', ...overrides })
  await recordAttempts(database, [row])
  return row
}

const receiptByReference = (row: AttemptRow, overrides: Partial<ReceiptJob> = {}): ReceiptJob =>
  receiptFor(row, { carrierId: null, recipient: '', reference: toReference(row), ...overrides })

async function readReport(
  msgKey: string,
): Promise<{ carrier: string; userType: string | null; parts: number }> {
  const found = await database.query<{ carrier: string; userType: string | null; parts: number }>(
    'select carrier, user_type as "userType", parts from reports where msg_key = $1',
    [msgKey],
  )
  return found.rows[0]!
}

const lost = { outcome: 'unknown', carrierId: null, code: 'timeout' } as const

test('a reference settles its part among unknown ones of the same recipient', async () => {
  const rows = [await submitted(lost), await submitted(lost), await submitted({ carrierId: 'known' })]
  assert.deepEqual(
    await settle(receiptByReference(rows[1]!), receiptByReference(rows[1]!, { carrierId: 'x' })),
    ['settled', 'repeated'],
  )
  assert.deepEqual(await settle(receiptByReference(rows[2]!, { carrierId: 'another spelling' })), ['settled'])
  const open = await Promise.all(rows.map(({ msgKey }) => isInFlight(database, msgKey)))
  assert.deepEqual(open, [true, false, false])
})

test('a route with the same login settles by reference, another carrier never does', async () => {
  const row = await submitted(lost)
  assert.deepEqual(
    await settle(receiptByReference(row, { routeId: 'b' }), receiptByReference(row, { routeId: 'gone' })),
    ['unmatched', 'unmatched'],
  )
  assert.equal(await isInFlight(database, row.msgKey), true)
  assert.deepEqual(await settle(receiptByReference(row, { routeId: 'a2' })), ['settled'])
})

test('a receipt settles a message of any day while the clocks disagree', async (t) => {
  const row = await submitted({ carrierId: 'before the jump' })
  const { maxSkewMs } = clock
  t.after(() => (clock.maxSkewMs = maxSkewMs))
  t.mock.method(clock, 'date', () => new Date(Date.now() + 31 * 86_400_000))
  const receipt = { job: receiptFor(row), isStored: false }
  const settleInJump = async (): Promise<SettleResult[]> =>
    (
      await settleBatch(
        { database, metrics, outbox: emptyOutbox },
        [receipt],
        createScope(routes, 30, { recentDays: 1 }),
      )
    ).results
  assert.deepEqual(await settleInJump(), ['unmatched'])
  clock.maxSkewMs = -1
  assert.deepEqual(await settleInJump(), ['settled'])
})

test('an unknown reference does not settle another message of the recipient', async () => {
  const row = await submitted({ ...lost, recipient: '01055550001' })
  const unknownReference = toReference({ ...row, step: 7, part: 1 })
  assert.deepEqual(await settle(receiptFor(row, { carrierId: null, reference: unknownReference })), [
    'unmatched',
  ])
  assert.equal(await isInFlight(database, row.msgKey), true)
})

test('a long text submitted as a whole ends with one receipt and counts its parts', async () => {
  const whole = await submitted({ part: 0, parts: 2 }, { steps: [longStep] })
  assert.deepEqual(await settle(receiptByReference(whole)), ['settled'])
  assert.equal(await isInFlight(database, whole.msgKey), false)
  assert.equal((await readReport(whole.msgKey)).parts, 2)
})

test('the report has the mobile carrier of the receipt, else of the submission, and the kind of user', async () => {
  const [named, known, unknown] = [
    await submitted({ carrier: '10001' }),
    await submitted({ carrier: '10002' }),
    await submitted(),
  ]
  await settle(receiptFor(named, { carrier: '10003', userType: 'F' }), receiptFor(known), receiptFor(unknown))
  assert.deepEqual(await readReport(named.msgKey), { carrier: '10003', userType: 'F', parts: 1 })
  assert.deepEqual(await readReport(known.msgKey), { carrier: '10002', userType: null, parts: 1 })
  assert.deepEqual(await readReport(unknown.msgKey), { carrier: '10000', userType: null, parts: 1 })
})
