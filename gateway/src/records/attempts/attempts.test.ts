import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { attempt, longStep, recordOne } from '../../../test/support/fixtures.ts'
import { findRefusals, recordAttempts, type AttemptRow } from './attempts.ts'

const { database } = await createTestDatabase()

async function stored(row: AttemptRow): Promise<Record<string, unknown>> {
  const result = await database.query<Record<string, unknown>>(
    `select outcome, carrier_id, outcome_code, result, cause, recipient from attempts
      where msg_key = $1 and step = $2 and try = $3 and part = $4`,
    [row.msgKey, row.step, row.try, row.part],
  )
  return result.rows[0]!
}

const unknown = { outcome: 'unknown', carrierId: null, code: 'timeout' } as const
const refused = { outcome: 'refused', carrierId: null, code: '0000000b', cause: 'bad-number' } as const

test('stores the canonical carrier id and the last digits of the recipient', async () => {
  const row = attempt(await recordOne(database), { carrierId: '00AB12', recipient: '+82 10-1234-5678' })
  await recordAttempts(database, [row])
  const { carrier_id, recipient, outcome, result } = await stored(row)
  assert.deepEqual([carrier_id, recipient, outcome, result], ['ab12', '12345678', 'accepted', null])
})

test('a refused part has failed, with the cause and the code of the carrier', async () => {
  const row = attempt(await recordOne(database), refused)
  await recordAttempts(database, [row])
  const { result, cause, outcome_code } = await stored(row)
  assert.deepEqual([result, cause, outcome_code], ['failed', 'bad-number', '0000000b'])
})

test('an empty carrier id is stored as null', async () => {
  const row = attempt(await recordOne(database), { carrierId: '' })
  await recordAttempts(database, [row])
  assert.equal((await stored(row)).carrier_id, null)
})

for (const [outcome, response] of [
  ['accepted', { outcome: 'accepted', carrierId: 'late' }],
  ['refused', refused],
] as const) {
  test(`unknown is replaced by ${outcome}`, async () => {
    const key = await recordOne(database)
    await recordAttempts(database, [attempt(key, unknown)])
    await recordAttempts(database, [attempt(key, response)])
    assert.equal((await stored(attempt(key))).outcome, outcome)
  })

  test(`${outcome} is never replaced by unknown or another response`, async () => {
    const key = await recordOne(database)
    await recordAttempts(database, [attempt(key, response)])
    const before = await stored(attempt(key))
    await recordAttempts(database, [attempt(key, unknown)])
    await recordAttempts(database, [attempt(key, { outcome: 'accepted', carrierId: 'another' })])
    await recordAttempts(database, [attempt(key, { ...refused, code: 'another' })])
    assert.deepEqual(await stored(attempt(key)), before)
  })
}

test('a late response does not undo the receipt of an unknown part', async () => {
  const key = await recordOne(database)
  await recordAttempts(database, [attempt(key, unknown)])
  await database.query(`update attempts set result = 'delivered', cause = 'delivered' where msg_key = $1`, [
    key.msgKey,
  ])
  await recordAttempts(database, [attempt(key, refused)])
  const { result, cause } = await stored(attempt(key))
  assert.deepEqual([result, cause], ['delivered', 'delivered'])
})

test('finds one refusal for each step that has one', async () => {
  const refusedKey = await recordOne(database, { steps: [longStep] })
  const acceptedKey = await recordOne(database)
  await recordAttempts(database, [
    attempt(refusedKey, { part: 1, parts: 2 }),
    attempt(refusedKey, { ...refused, part: 2, parts: 2 }),
    attempt(acceptedKey),
  ])
  const found = await findRefusals(database, [acceptedKey, refusedKey])
  assert.deepEqual(
    found.map(({ msgKey, step, try: attempted, parts, cause }) => [msgKey, step, attempted, parts, cause]),
    [[refusedKey.msgKey, 1, 1, 2, 'bad-number']],
  )
  assert.deepEqual(await findRefusals(database, [{ ...refusedKey, try: 2 }]), [])
})

test('a real response replaces the route of an unknown attempt on another route', async () => {
  const key = await recordOne(database)
  await recordAttempts(database, [attempt(key, { ...unknown, routeId: 'copy' })])
  await recordAttempts(database, [attempt(key, { carrierId: 'id-1', routeId: 'submitted' })])
  const result = await database.query<{ route_id: string; outcome: string }>(
    'select route_id, outcome from attempts where msg_key = $1',
    [key.msgKey],
  )
  assert.deepEqual(result.rows, [{ route_id: 'submitted', outcome: 'accepted' }])
})
