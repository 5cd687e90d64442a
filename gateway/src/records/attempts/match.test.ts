import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { matchScope } from '../../../test/support/pipeline/settle-scope.ts'
import { acceptedJob, attempt, receipt, receiptFor, recordOne } from '../../../test/support/fixtures.ts'
import { toKeyDay } from '../partitions.ts'
import { recordAttempts, type AttemptRow } from './attempts.ts'
import type { ReceiptJob } from '../../jobs/jobs.ts'
import { matchById, matchUnknown } from './match.ts'

const { database } = await createTestDatabase()
const yesterday = toKeyDay(new Date(), -1)
let offsetMs = 0

/** Records an attempt; later calls create later keys. */
async function submitted(overrides: Partial<AttemptRow> = {}): Promise<AttemptRow> {
  const row = attempt(await recordOne(database, { acceptedAt: Date.now() + ++offsetMs }), overrides)
  await recordAttempts(database, [row])
  return row
}

const byId = async (job: ReceiptJob, notBefore = yesterday): Promise<string | undefined> =>
  (await matchById(database, [job], matchScope(notBefore)))[0]?.msgKey
const whoever = async (job: ReceiptJob): Promise<string | undefined> =>
  (await matchById(database, [job], { ...matchScope(), allowsOtherRecipient: true }))[0]?.msgKey
/** Matches the receipt as if it arrived after everything that was submitted. */
const byRecipient = async (job: ReceiptJob, receivedAt = Date.now() + 1_000): Promise<string | undefined> =>
  (await matchUnknown(database, [{ ...job, receivedAt }], matchScope()))[0]?.msgKey

before(async () => {
  // Rows that must never match: an attempt with an unrelated id, and one without an id.
  await submitted({ carrierId: 'noise' })
  await submitted({ carrierId: null, outcome: 'unknown', routeId: 'elsewhere', recipient: '01099999999' })
})

test('a receipt without a number is not matched to a part whose number was erased', async () => {
  await submitted({ carrierId: null, outcome: 'unknown', routeId: 'no-number', recipient: '' })
  const withoutNumber = receipt({ routeId: 'no-number', recipient: '' })
  assert.equal(await byRecipient(withoutNumber), undefined)
})

test('finds the part with the fields needed to settle it', async () => {
  const row = await submitted({ part: 2, parts: 3, carrierId: 'part-two' })
  const [match] = await matchById(database, [receiptFor(row)], matchScope())
  assert.deepEqual(
    { ...match },
    {
      n: 0,
      msgKey: row.msgKey,
      step: 1,
      try: 1,
      part: 2,
      parts: 3,
      carrier: null,
      submittedAt: row.submittedAt,
    },
  )
})

test('returns one entry per receipt, in order', async () => {
  const [first, second] = [await submitted(), await submitted()]
  const receipts = [
    receiptFor(second),
    receipt(),
    receiptFor(first),
    receipt({ carrierId: null }),
    receiptFor(second),
  ]
  const matches = await matchById(database, receipts, matchScope())
  assert.deepEqual(
    matches.map((match) => match?.msgKey),
    [second.msgKey, undefined, first.msgKey, undefined, second.msgKey],
  )
})

for (const [description, responseId, receiptId] of [
  ['decimal for hexadecimal', '00A1B2C3', '10597059'],
  ['hexadecimal for decimal', '10597060', 'A1B2C4'],
  ['lower case for upper case', 'ABCDEF01', 'abcdef01'],
  ['more zeros', '4711', '0000004711'],
  ['fewer zeros', '0000004712', '4712'],
  ['the id as it was', 'c449ab9744f47b6af1879e49e75e4f40', 'c449ab9744f47b6af1879e49e75e4f40'],
] as const) {
  test(`finds the same id in another notation: ${description}`, async () => {
    const row = await submitted({ carrierId: responseId })
    assert.equal(await byId(receiptFor(row, { carrierId: receiptId })), row.msgKey)
  })
}

test('an exact id precedes the same id in another notation for the same recipient', async () => {
  // "16" in decimal is "10" in hexadecimal.
  await submitted({ carrierId: '10' })
  const exact = await submitted({ carrierId: '16' })
  await submitted({ carrierId: '10' })
  assert.equal(await byId(receiptFor(exact)), exact.msgKey)
})

test('the recipient decides between two notations of an id', async () => {
  const mine = await submitted({ carrierId: 'ff01', recipient: '01011112222' })
  const theirs = await submitted({ carrierId: '65281', recipient: '01033334444' })
  assert.equal(await byId(receipt({ carrierId: '65281', recipient: '821011112222' })), mine.msgKey)
  assert.equal(await byId(receipt({ carrierId: '65281', recipient: '821033334444' })), theirs.msgKey)
})

test('each receipt of a batch finds its part, by the literal id or by another notation', async () => {
  const recipient = '01011112222'
  const literal = await submitted({ carrierId: '65282', recipient: '01033334444' })
  // Its id in hexadecimal is the id above, whose recipient is another one.
  const other = await submitted({ carrierId: 'ff02', recipient })
  const masked = await submitted({ carrierId: 'masked in a batch', recipient })
  const receipts = [
    receipt({ carrierId: '65282', recipient }),
    receipt({ carrierId: 'unknown', recipient }),
    receiptFor(literal),
    receiptFor(masked, { recipient: '0101111****' }),
    receipt({ carrierId: null, recipient }),
  ]
  assert.deepEqual(
    (await matchById(database, receipts, matchScope())).map((match) => match?.msgKey),
    [other.msgKey, undefined, literal.msgKey, masked.msgKey, undefined],
  )
})

test('another notation of an id never matches another recipient', async () => {
  await submitted({ carrierId: 'ee01', recipient: '01011112222' })
  assert.equal(await byId(receipt({ carrierId: '60929', recipient: '01055556666' })), undefined)
})

test('an exact id on the same route matches even when the recipient cannot be recognized', async () => {
  const row = await submitted({ carrierId: 'masked' })
  assert.equal(await byId(receiptFor(row, { recipient: '0101234****' })), row.msgKey)
})

test('an exact id does not match a plainly different recipient while its own attempt may be missing', async () => {
  const old = await submitted({ carrierId: 'counter-7', recipient: '01011112222' })
  const strange = receipt({ carrierId: 'counter-7', recipient: '01033334444' })
  assert.equal(await byId(strange), undefined)
  assert.equal(await whoever(strange), old.msgKey)
  const masked = await submitted({ carrierId: 'counter-7', recipient: '01055556666' })
  assert.equal(await whoever({ ...strange, recipient: '01055****' }), masked.msgKey)
  await database.query(`update attempts set result = 'delivered' where carrier_id = 'counter-7'`)
  assert.equal(await whoever(strange), undefined)
})

test('the newest of two messages with the same id matches', async () => {
  await submitted({ carrierId: 'reused' })
  const newest = await submitted({ carrierId: 'reused' })
  assert.equal(await byId(receiptFor(newest)), newest.msgKey)
})

test('the recipient, not the time, decides between two messages with the same id', async () => {
  const mine = await submitted({ carrierId: 'twin', recipient: '01011112222' })
  await submitted({ carrierId: 'twin', recipient: '01033334444' })
  assert.equal(await byId(receiptFor(mine)), mine.msgKey)
})

test('a receipt from another route matches only its recipient', async () => {
  const row = await submitted({ carrierId: 'roaming', routeId: 'south' })
  assert.equal(await byId(receiptFor(row, { routeId: 'north' })), row.msgKey)
  assert.equal(await byId(receiptFor(row, { routeId: 'north', recipient: '01055556666' })), undefined)
})

test('a receipt without a recipient matches its exact id on any route of the login', async () => {
  const row = await submitted({ carrierId: 'unaddressed', routeId: 'south' })
  assert.equal(await byId(receiptFor(row, { routeId: 'north', recipient: '' })), row.msgKey)
})

test('the route of the receipt decides between equal ids on two routes', async () => {
  const north = await submitted({ carrierId: 'both', routeId: 'north' })
  await submitted({ carrierId: 'both', routeId: 'south' })
  assert.equal(await byId(receiptFor(north)), north.msgKey)
})

test('an exact id on another route precedes another notation on the same route', async () => {
  const recipient = '01077770001'
  const exact = await submitted({ carrierId: '2711', routeId: 'south', recipient })
  await submitted({ carrierId: '10001', routeId: 'north', recipient })
  assert.equal(await byId(receipt({ carrierId: '2711', routeId: 'north', recipient })), exact.msgKey)
})

test('never searches days before `notBefore`', async () => {
  const old = attempt(
    { msgKey: acceptedJob({ acceptedAt: Date.now() - 86_400_000 }).msgKey, step: 1, try: 1 },
    { carrierId: 'old' },
  )
  await recordAttempts(database, [old])
  assert.equal(await byId(receiptFor(old)), old.msgKey)
  assert.equal(await byId(receiptFor(old), toKeyDay(new Date())), undefined)
  const plan = await database.query<{ 'QUERY PLAN': string }>(
    `explain select from attempts where carrier_id = 'old' and msg_key >= '${toKeyDay(new Date())}'`,
  )
  assert.ok(!JSON.stringify(plan.rows).includes(`attempts_${yesterday}`), 'not even its partition')
})

test('a part whose response was lost is guessed by recipient and route if unambiguous', async () => {
  const row = await submitted({ outcome: 'unknown', carrierId: null, recipient: '01070000001' })
  assert.equal(await byRecipient(receipt({ recipient: '821070000001' })), row.msgKey)
  assert.equal(await byRecipient(receipt({ recipient: '01070000001', routeId: 'south' })), undefined)
  assert.equal(await byRecipient(receipt({ recipient: '01070000002' })), undefined)
})

test('parts with lost responses match in order, and a repeated receipt the same part', async () => {
  const key = await recordOne(database)
  const lost = { outcome: 'unknown', carrierId: null, recipient: '01070000006', parts: 2 } as const
  await recordAttempts(database, [attempt(key, { ...lost, part: 1 }), attempt(key, { ...lost, part: 2 })])
  const receipts = ['a', 'b', 'a'].map((carrierId) => receipt({ carrierId, recipient: '01070000006' }))
  const matches = await matchUnknown(database, receipts, matchScope())
  assert.deepEqual(
    matches.map((match) => [match?.msgKey, match?.part]),
    [
      [key.msgKey, 1],
      [key.msgKey, 2],
      [key.msgKey, 1],
    ],
  )
})

for (const carrierId of ['', '  ', '\0']) {
  test(`a part accepted with the id ${JSON.stringify(carrierId)} is found by its recipient`, async () => {
    const recipient = `0107000002${carrierId.length}`
    const row = await submitted({ carrierId, recipient })
    await submitted({ outcome: 'refused', carrierId: null, cause: 'bad-number', recipient })
    assert.equal(await byId(receipt({ recipient, carrierId })), undefined)
    assert.equal(await byRecipient(receipt({ recipient, carrierId: 'named-later' })), row.msgKey)
    await submitted({ outcome: 'unknown', carrierId: null, recipient })
    assert.equal(await byRecipient(receipt({ recipient })), undefined)
  })
}

test('never guesses between two messages', async () => {
  for (let n = 0; n < 2; n++)
    await submitted({ outcome: 'unknown', carrierId: null, recipient: '01070000003' })
  assert.equal(await byRecipient(receipt({ recipient: '01070000003' })), undefined)
})

for (const other of [{ step: 2 }, { try: 2 }]) {
  test(`never guesses between submissions of one message: ${JSON.stringify(other)}`, async () => {
    const recipient = `0107000001${Object.keys(other)[0]!.length}`
    const lost = { outcome: 'unknown', carrierId: null, recipient } as const
    const { msgKey } = await submitted(lost)
    await recordAttempts(database, [attempt({ msgKey, step: 1, try: 1, ...other }, lost)])
    assert.equal(await byRecipient(receipt({ recipient })), undefined)
  })
}

test('never guesses a part that has a receipt or a known response', async () => {
  const settled = await submitted({ outcome: 'unknown', carrierId: null, recipient: '01070000004' })
  await database.query(`update attempts set result = 'delivered' where msg_key = $1`, [settled.msgKey])
  assert.equal(await byRecipient(receipt({ recipient: '01070000004' })), undefined)
  await submitted({ carrierId: 'known', recipient: '01070000005' })
  assert.equal(await byRecipient(receipt({ recipient: '01070000005' })), undefined)
})

test('never guesses a part whose step has ended, nor another one while that part may be meant', async () => {
  const lost = { outcome: 'unknown', carrierId: null, recipient: '01070000007' } as const
  const ended = await submitted(lost)
  await database.query('delete from in_flight where msg_key = $1', [ended.msgKey])
  assert.equal(await byRecipient(receipt({ recipient: '01070000007' })), undefined)
  await submitted(lost)
  assert.equal(await byRecipient(receipt({ recipient: '01070000007' })), undefined)
})

test('never guesses a message that was accepted or submitted after the receipt', async () => {
  const before = Date.now() - 10_000
  const lost = { outcome: 'unknown', carrierId: null } as const
  const job = receipt({ recipient: '01070000008' })
  const row = await submitted({ ...lost, recipient: '01070000008' })
  assert.equal(await byRecipient(job, before), undefined)
  assert.equal(await byRecipient(job), row.msgKey)
  const submittedAt = new Date(Date.now() + 60_000)
  await submitted({ ...lost, recipient: '01070000009', submittedAt })
  assert.equal(await byRecipient(receipt({ recipient: '01070000009' })), undefined)
})
