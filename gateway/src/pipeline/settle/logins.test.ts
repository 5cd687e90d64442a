import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { attempt, isInFlight, receiptFor, recordOne } from '../../../test/support/fixtures.ts'
import { emptyOutbox } from '../../../test/support/pipeline/outbox.ts'
import { testMetrics } from '../../../test/support/silent-log.ts'
import { testRoute } from '../../../test/support/routes.ts'
import { testScope } from '../../../test/support/pipeline/settle-scope.ts'
import type { ReceiptJob } from '../../jobs/jobs.ts'
import { recordAttempts, type AttemptRow } from '../../records/attempts/attempts.ts'
import { digestLogin } from '../../carriers/routes/logins.ts'
import { settleBatch, type SettleResult } from './batch.ts'

const { database } = await createTestDatabase()
const metrics = testMetrics()
const login = (host: string, systemId: string, more: object = {}) => ({
  options: { host, systemId, ...more },
})
const routes = [
  testRoute('a1', login('smsc.a.example', 'shop')),
  testRoute('a2', login('SMSC.a.example', 'shop', { port: 3550 })),
  testRoute('b', login('smsc.b.example', 'shop')),
  testRoute('c', login('smsc.a.example', 'other')),
  testRoute('east', login('east.d.example', 'shop', { receiptGroup: 'd' })),
  testRoute('west', login('west.d.example', 'bulk', { receiptGroup: 'd' })),
  testRoute('unset', login('env:POSTERN_NO_SUCH_HOST', 'shop')),
  testRoute('unset-too', login('env:POSTERN_NO_SUCH_HOST', 'shop')),
]

async function settle(...jobs: ReceiptJob[]): Promise<SettleResult[]> {
  const items = jobs.map((job) => ({ job, isStored: true }))
  return (await settleBatch({ database, metrics, outbox: emptyOutbox }, items, testScope(routes))).results
}

let recipients = 10_000_000
async function submitted(routeId: string, overrides: Partial<AttemptRow> = {}): Promise<AttemptRow> {
  const row = attempt(await recordOne(database), { routeId, recipient: `010${recipients++}`, ...overrides })
  await recordAttempts(database, [row])
  return row
}

for (const [other, why] of [
  ['b', 'another host'],
  ['c', 'another system id'],
  ['east', 'a group'],
  ['unset', 'an unknown host'],
  ['no-such-route', 'no settings'],
] as const) {
  test(`a receipt of a route with ${why} never settles a part, however it writes the id`, async () => {
    const row = await submitted('a1', { carrierId: '00FF1' })
    // The same id as sent, without zeros, and in decimal.
    const receipts = ['00FF1', 'ff1', '4081'].map((carrierId) =>
      receiptFor(row, { routeId: other, carrierId }),
    )
    assert.deepEqual(await settle(...receipts), ['unmatched', 'unmatched', 'unmatched'])
    assert.equal(await isInFlight(database, row.msgKey), true)
    assert.deepEqual(await settle(...receipts, receiptFor(row)), [
      'unmatched',
      'unmatched',
      'unmatched',
      'settled',
    ])
    const lost = await submitted('a1', { outcome: 'unknown', carrierId: null })
    assert.deepEqual(await settle(receiptFor(lost, { routeId: other, carrierId: 'x' })), ['unmatched'])
  })
}

for (const [sent, received] of [
  ['a1', 'a2'],
  ['a2', 'a1'],
  ['east', 'west'],
] as const) {
  test(`a part sent over ${sent} is settled by a receipt over ${received}, by id and by recipient`, async () => {
    const row = await submitted(sent)
    const lost = await submitted(sent, { outcome: 'unknown', carrierId: null })
    const withoutId = await submitted(sent, { carrierId: '' })
    const receipts = [row, lost, withoutId].map((each, n) =>
      receiptFor(each, { routeId: received, carrierId: each.carrierId || `later-${sent}-${n}` }),
    )
    assert.deepEqual(await settle(...receipts), ['settled', 'settled', 'settled'])
  })
}

test('equal ids and recipients at two carriers: each settles its own', async () => {
  const [a, b] = [await submitted('a1'), await submitted('b')]
  // Stored recipients are the last eight digits.
  await database.query('update attempts set carrier_id = $1, recipient = $2 where msg_key = any($3)', [
    'same',
    '99990000',
    [a.msgKey, b.msgKey],
  ])
  const same = { carrierId: 'same', recipient: '01099990000' }
  assert.deepEqual(await settle(receiptFor(a, same), receiptFor(a, same)), ['settled', 'repeated'])
  assert.equal(await isInFlight(database, b.msgKey), true)
  assert.deepEqual(await settle(receiptFor(b, same)), ['settled'])
})

test('does not guess between parts on two routes of one login', async () => {
  const lost = { outcome: 'unknown', carrierId: null, recipient: '01099991111' } as const
  const row = await submitted('a1', lost)
  await submitted('a2', lost)
  assert.deepEqual(await settle(receiptFor(row, { carrierId: 'y' })), ['unmatched'])
})

test('parts of a deleted route are settled by receipts over the routes that are left', async () => {
  const row = await submitted('deleted')
  assert.deepEqual(await settle(receiptFor(row, { routeId: 'b' })), ['settled'])
})

test('a receipt of a deleted route settles the parts of the routes with its login, and no others', async () => {
  const getLogin = (id: string) => digestLogin(routes.find((route) => route.id === id)!)!
  const row = await submitted('a1')
  const lost = await submitted('a2', { outcome: 'unknown', carrierId: null })
  const over = (usedLogin?: string) => [
    receiptFor(row, { routeId: 'deleted', ...(usedLogin === undefined ? {} : { login: usedLogin }) }),
    receiptFor(lost, {
      routeId: 'deleted',
      carrierId: 'z',
      ...(usedLogin === undefined ? {} : { login: usedLogin }),
    }),
  ]
  for (const other of [getLogin('b'), getLogin('c'), getLogin('east'), 'unknown', undefined])
    assert.deepEqual(await settle(...over(other)), ['unmatched', 'unmatched'])
  assert.deepEqual(await settle(...over(getLogin('a1'))), ['settled', 'settled'])
})

test('the settings of an existing route override the login of its receipt', async () => {
  const row = await submitted('a1')
  const ownLogin = digestLogin(routes[0]!)!
  assert.deepEqual(await settle(receiptFor(row, { routeId: 'b', login: ownLogin })), ['unmatched'])
})
