/**
 * Traffic records: written when a message closes, found by number, separate from content, and dropped by
 * month.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { runCommand } from '../../../test/support/command.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJob, createAccount, smsStep } from '../../../test/support/fixtures.ts'
import { serviceUrl } from '../../../test/support/engines/services.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { openEncryption } from '../../platform/encryption/encryption.ts'
import { messageCipher } from '../../platform/encryption/message-cipher.ts'
import { closeMessages } from '../../records/messages/close.ts'
import { eraseRecipient } from '../../records/messages/erase.ts'
import { recordMessages } from '../../records/messages/record.ts'
import { maintainTraffic } from '../../records/traffic/months.ts'

const { database, url } = await createTestDatabase()
const environment = {
  POSTERN_DATABASE_URL: url,
  POSTERN_BROKER_URLS: serviceUrl('POSTERN_BROKER_URLS'),
  POSTERN_TOKEN_SECRET: 'x'.repeat(32),
}
addCleanup(() => Promise.resolve(messageCipher.close()))

async function sendAndClose(accountId: number, to: string, ...from: string[]): Promise<string> {
  const steps = from.map((sender) => ({ ...smsStep, from: sender }))
  const job = acceptedJob({ accountId, to, ...(steps.length === 0 ? {} : { steps }) })
  await recordMessages(database, [job], () => new Date(Date.now() + 60_000))
  await close(job.msgKey)
  return job.msgKey
}

async function close(msgKey: string): Promise<void> {
  const now = new Date()
  const end = { msgKey, step: 1, try: 1, cause: 'delivered', parts: 1, sentAt: now, at: now } as const
  await inTransaction(database, (transaction) => closeMessages(transaction, [end]))
}

async function find(...args: string[]): Promise<string[]> {
  const { stdout, stderr, exitCode } = await runCommand(
    environment,
    'traffic',
    'find',
    ...args,
    '--reason',
    'a test',
    '--json',
  )
  assert.equal(exitCode, 0, stderr)
  return (JSON.parse(stdout) as { items: { msgKey: string }[] }).items.map(({ msgKey }) => msgKey)
}

test('records are written only if the setting enables it', async () => {
  const account = await createAccount(database, 'before')
  await sendAndClose(account, '01011110000')
  assert.equal((await database.query('select from traffic_records')).rowCount, 0)
})

test('a record is found by number, account and time, and outlives an erasure', async () => {
  await messageCipher.open(database, openEncryption({}), { sealing: false, traffic: true })
  await maintainTraffic(database, 365, new Date())
  const [account, other] = [await createAccount(database, 'one'), await createAccount(database, 'other')]
  const first = await sendAndClose(account, '01012345678')
  const second = await sendAndClose(other, '01012345678')
  await sendAndClose(account, '01099990000')
  assert.deepEqual((await find('+82 10-1234-5678')).sort(), [first, second].sort())
  assert.deepEqual(await find('01012345678', '--account', 'one'), [first])
  assert.deepEqual(await find('01012345678', '--until', '2020-01-01'), [])
  const stored = await database.query<{ row: string }>('select t::text as row from traffic_records t')
  assert.equal(stored.rows.length, 3)
  assert.doesNotMatch(JSON.stringify(stored.rows), /12345678|99990000/)
  await eraseRecipient(database, account, '01012345678')
  assert.deepEqual(await find('01012345678', '--account', 'one'), [first])
})

test('a record is found by the sender of the step that decided the outcome', async () => {
  const account = await createAccount(database, 'senders')
  const mine = await sendAndClose(account, '01044440000', '0311234567', '0329999999')
  await sendAndClose(account, '01044440000', '0329999999')
  const alimtalk = acceptedJob({
    accountId: account,
    steps: [
      { channel: 'alimtalk', content: { senderKey: 'key-1', msgType: 'AT', templateCode: 't', text: 'x' } },
    ],
  })
  await recordMessages(database, [alimtalk], () => new Date(Date.now() + 60_000))
  await close(alimtalk.msgKey)
  assert.deepEqual(await find('--sender', '0311234567'), [mine])
  assert.deepEqual(await find('01044440000', '--sender', '0311234567'), [mine])
  assert.deepEqual(await find('01099990000', '--sender', '0311234567'), [])
  assert.deepEqual(await find('--sender', 'key-1', '--account', 'senders'), [alimtalk.msgKey])
  const { exitCode, stderr } = await runCommand(environment, 'traffic', 'find', '--reason', 'a test')
  assert.equal(exitCode, 2, stderr)
})

test('a month is dropped after the retention, or after its end if it is 0', async () => {
  const months = async (): Promise<number> =>
    (
      await database.query(
        `select from pg_class where relname ~ '^traffic_records_[0-9]{6}$' and relkind = 'r'`,
      )
    ).rowCount!
  const now = new Date()
  const before = await months()
  await maintainTraffic(database, 30, now)
  assert.equal(await months(), before)
  await maintainTraffic(database, 30, new Date(now.getTime() + 75 * 86_400_000))
  assert.equal(
    (await database.query('select from traffic_records')).rowCount,
    0,
    'the month of the messages is gone',
  )
  await maintainTraffic(database, 0, new Date(now.getTime() + 75 * 86_400_000))
  assert.ok((await months()) > 0)
  await maintainTraffic(database, 0, new Date(now.getTime() + 300 * 86_400_000))
  assert.equal(await months(), 0)
})
