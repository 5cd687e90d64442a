import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import {
  acceptedJob,
  attempt,
  inAnHour,
  receiptFor,
  recordOne,
  smsStep,
} from '../../../test/support/fixtures.ts'
import { matchScope } from '../../../test/support/pipeline/settle-scope.ts'
import type { AcceptedJob } from '../../jobs/jobs.ts'
import { readAcceptedJob, readRouteJob } from '../../jobs/read.ts'
import { ensureSealed, toWire } from '../../jobs/sealed.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { DamagedCiphertext } from '../../platform/encryption/ciphertext.ts'
import { Encryption } from '../../platform/encryption/encryption.ts'
import { localMasterKey } from '../../platform/encryption/master-key.ts'
import { messageCipher, MessageCipher } from '../../platform/encryption/message-cipher.ts'
import { recordAttempts } from '../attempts/attempts.ts'
import { matchById, matchUnknown } from '../attempts/match.ts'
import { toStoredRecipient } from '../attempts/identifiers.ts'
import { ensureDay, maintainPartitions } from '../partitions.ts'
import { readTimeline } from '../timeline/rows.ts'
import { readWaiting } from '../waiting/read-waiting.ts'
import { holdSteps } from '../waiting/write-waiting.ts'
import { startNextSteps } from './advance.ts'
import { destroyPastKeys } from './destroy-keys.ts'
import { eraseRecipient } from './erase.ts'
import { findByRecipient } from './search.ts'
import { recordMessages } from './record.ts'

const { database } = await createTestDatabase()
const key = localMasterKey(randomBytes(32))
const encryption = new Encryption({ current: key, readable: [key] })
after(() => messageCipher.close())

const open = (sealing: boolean): Promise<void> => messageCipher.open(database, encryption, { sealing })
async function recorded(overrides: Partial<AcceptedJob> = {}): Promise<AcceptedJob> {
  const job = await ensureSealed(acceptedJob(overrides))
  await recordMessages(database, [job], inAnHour)
  return job
}
const rowOf = async ({ msgKey }: AcceptedJob): Promise<string> =>
  JSON.stringify((await database.query('select m::text from messages m where msg_key = $1', [msgKey])).rows)

test('rows and jobs hold neither number nor text, and every later stage reads both', async () => {
  await open(true)
  const second = { ...smsStep, text: 'the second' }
  const job = await recorded({ to: '01055554444', steps: [smsStep, second] })
  assert.doesNotMatch(await rowOf(job), /55554444|is 4711|second/)
  const wire = JSON.stringify(toWire(job))
  assert.doesNotMatch(wire, /55554444|is 4711|second/)
  const read = readAcceptedJob(JSON.parse(wire))
  assert.ok(read.ok)
  assert.deepEqual([read.job.to, read.job.steps], ['01055554444', [smsStep, second]])

  const { msgKey, accountId } = job
  const due = {
    msgKey,
    step: 1,
    try: 1,
    accountId,
    routeId: 'north',
    lane: 'normal',
    parts: 1,
    tries: 0,
  } as const
  await holdSteps(database, [{ ...due, releaseAt: new Date(), reason: 'backlog' }])
  const [waiting] = await readWaiting(database, [msgKey])
  assert.deepEqual([waiting!.job!.to, waiting!.job!.content], ['01055554444', smsStep])
  const routed = { ...waiting!.job!, routeId: 'north', lane: 'normal' as const }
  const released = readRouteJob(JSON.parse(JSON.stringify(toWire(routed))))
  assert.ok(released.ok && released.job.to === '01055554444')
  assert.doesNotMatch(JSON.stringify(toWire(routed)), /55554444|is 4711/)
  const end = {
    msgKey,
    step: 1,
    try: 1,
    cause: 'failed',
    parts: 1,
    sentAt: new Date(),
    at: new Date(),
  } as const
  const { started } = await inTransaction(database, (transaction) => startNextSteps(transaction, [end], 60))
  assert.deepEqual(started[0]!.content, second)
  assert.equal((await readTimeline(database, msgKey)).message!.recipient, '01055554444')
})

test('a ciphertext copied to another message is not decrypted, and makes the job unreadable', async () => {
  await open(true)
  const [job, other] = [await recorded(), await recorded({ to: '01077778888' })]
  const read = readAcceptedJob({ ...toWire(job), sealed: other.sealed })
  assert.ok(!read.ok)
  assert.match(read.reason, /^unreadable accepted job: a value of messages\.sealed cannot be decrypted/)
})

test('receipts match by blind index, and across the switch by their id', async () => {
  await open(false)
  const before = attempt({ msgKey: acceptedJob().msgKey, step: 1, try: 1 }, { routeId: 'gone' })
  await recordAttempts(database, [before])
  await open(true)
  const since = attempt({ msgKey: acceptedJob().msgKey, step: 1, try: 1 }, { recipient: '01022223333' })
  const unanswered = attempt(await recordOne(database), {
    recipient: '01044445555',
    outcome: 'unknown',
    carrierId: null,
  })
  await recordAttempts(database, [since, unanswered])
  const stored = await database.query<{ text: string }>(
    'select a::text as text from attempts a where recipient like $1',
    ['#%'],
  )
  assert.equal(stored.rows.length, 2)
  assert.doesNotMatch(JSON.stringify(stored.rows), /22223333|44445555/)
  const receipts = [since, before].map((row) =>
    receiptFor(row, { routeId: 'another', recipient: toStoredRecipient(`+82${row.recipient.slice(1)}`) }),
  )
  const found = await matchById(database, receipts, matchScope())
  assert.deepEqual(
    found.map((match) => match?.msgKey),
    [since.msgKey, before.msgKey],
  )
  const byNumber = receiptFor(unanswered, { carrierId: 'lost', recipient: toStoredRecipient('01044445555') })
  assert.equal((await matchUnknown(database, [byNumber], matchScope()))[0]?.msgKey, unanswered.msgKey)
})

test('messages to a number are found and erased, encrypted or not', async () => {
  await open(false)
  const unsealed = await recorded({ accountId: 9, to: '01066667777' })
  await open(true)
  const sealed = await recorded({ accountId: 9, to: '01066667777' })
  await recorded({ accountId: 8, to: '01066667777' })
  const found = await findByRecipient(database, 9, '01066667777')
  assert.deepEqual(found.map(({ msgKey }) => msgKey).sort(), [unsealed.msgKey, sealed.msgKey].sort())
  await database.query('delete from in_flight where account_id = 9')
  assert.deepEqual(await eraseRecipient(database, 9, '01066667777'), { erased: 2, open: 0 })
  assert.deepEqual(await findByRecipient(database, 9, '01066667777'), [])
  assert.match(await rowOf(sealed), /,,\)"\}\]$/, 'neither ciphertext nor index')
})

test('no copy of a message can be decrypted after the retention of its day', async () => {
  await open(true)
  const day = new Date(Date.now() - 40 * 86_400_000)
  await ensureDay(database, day)
  const job = await recorded({ acceptedAt: day.getTime() })
  const today = await recorded()
  assert.deepEqual(await destroyPastKeys(database, 30, new Date()), [], 'its messages are still there')
  await database.query('delete from in_flight where msg_key = $1', [job.msgKey])
  await maintainPartitions(database, 30, new Date())
  assert.deepEqual(await destroyPastKeys(database, 30, new Date()), [job.msgKey.slice(0, 8)])
  const restored = new MessageCipher()
  await restored.open(database, new Encryption({ current: key, readable: [key] }), { sealing: false })
  await restored.loadKeys([job.sealed!, today.sealed!])
  assert.throws(() => restored.unseal(job.msgKey, job.sealed!), DamagedCiphertext)
  assert.match(restored.unseal(today.msgKey, today.sealed!), /4711/)
})
