import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJob, longStep, recordJobs, recordOne, smsStep } from '../../../test/support/fixtures.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { createTestServer, type TestAccount } from '../../../test/support/http/server.ts'
import type { Cause } from '../../channels/cause.ts'
import { createMsgKey } from '../../contract/msg-key.ts'
import { ensureSealed } from '../../jobs/sealed.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { endSteps } from '../../pipeline/settle/end-steps.ts'
import { clock } from '../../platform/time/clock.ts'
import { inTransaction, openDatabase } from '../../platform/database/database.ts'
import { Encryption } from '../../platform/encryption/encryption.ts'
import { localMasterKey } from '../../platform/encryption/master-key.ts'
import { messageCipher } from '../../platform/encryption/message-cipher.ts'
import { closeMessages } from '../messages/close.ts'
import { eraseRecipient } from '../messages/erase.ts'
import { acknowledgeBatch, pollFeed } from '../feed/poll.ts'
import { reportFeed } from './queries.ts'

const { database, url } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
const api = await createTestServer({ database, broker, topology })

interface Batch {
  readonly reportId: string
  readonly report: Record<string, string | number | boolean>[]
}

/** Records messages and closes them. */
async function ended(account: TestAccount, count: number, ref?: string): Promise<string[]> {
  const jobs = Array.from({ length: count }, () =>
    acceptedJob({ accountId: account.id, steps: [longStep], ...(ref === undefined ? {} : { ref }) }),
  )
  const keys = await recordJobs(database, jobs)
  await close(keys)
  return keys.map(({ msgKey }) => msgKey)
}

async function close(keys: readonly StepKey[]): Promise<void> {
  const endedSteps = keys.map((key) => ({
    ...key,
    cause: 'delivered' as const,
    parts: 2,
    sentAt: new Date('2026-11-14T15:04:05.678Z'),
    at: new Date('2026-11-14T15:04:09Z'),
  }))
  await inTransaction(database, (transaction) => closeMessages(transaction, endedSteps))
}

const poll = async (account: TestAccount): Promise<Batch> => {
  const { status, body } = await api.call(account, 'GET', '/v1/report/polling')
  assert.deepEqual([status, body.code, body.result], [200, 'A000', 'Success'])
  return body.data as Batch
}
const inquire = async (account: TestAccount, msgKey: string): Promise<Batch> => {
  const { status, body } = await api.call(account, 'GET', `/v1/report/inquiry/${encodeURIComponent(msgKey)}`)
  assert.deepEqual([status, body.code], [200, 'A000'])
  return body.data as Batch
}

test('a request without new reports writes nothing', async () => {
  const readOnly = openDatabase(url, silentLog, { connections: 2, readOnly: true })
  const idle = await createTestServer({ database: readOnly, owner: database, broker, topology })
  addCleanup(() => readOnly.end())
  const [fresh, done, holding] = [await idle.account(), await idle.account(), await idle.account()]
  const get = async (account: TestAccount, path: string): Promise<unknown> => {
    const { body } = await idle.call(account, 'GET', path)
    assert.equal(body.code, 'A000', path)
    return body.data
  }
  for (const account of [done, holding]) await ended(account, 2)
  const [read, held] = [
    await pollFeed(database, reportFeed, done.id),
    await pollFeed(database, reportFeed, holding.id),
  ]
  await acknowledgeBatch(database, reportFeed, done.id, read.batchId)
  for (const account of [fresh, done])
    assert.deepEqual(await get(account, '/v1/report/polling'), { reportId: '', report: [] })
  assert.equal(((await get(holding, '/v1/report/polling')) as Batch).reportId, held.batchId)
  assert.deepEqual(await get(fresh, '/v1/replies'), { batchId: '', reply: [] })
  for (const path of ['/v1/report/stream', '/v1/replies/stream']) await get(fresh, `${path}?consumer=crm`)
})

/** Ends the steps of a message in order. Returns its msgKey. */
async function endFlow(account: TestAccount, causes: readonly Cause[]): Promise<string> {
  const [key] = await recordJobs(database, [
    acceptedJob({ accountId: account.id, steps: causes.map(() => smsStep) }),
  ])
  const times = { sentAt: new Date(), at: new Date() }
  for (const [index, cause] of causes.entries())
    await inTransaction(database, (transaction) =>
      endSteps(transaction, [{ ...key!, step: index + 1, cause, parts: 1, ...times }], 60),
    )
  return key!.msgKey
}

test('only the report of the last step is the outcome of a message, and an inquiry returns it first', async () => {
  const account = await api.account()
  const msgKey = await endFlow(account, ['timeout', 'failed', 'delivered'])
  const { body } = await api.call(account, 'GET', '/v1/report/stream')
  const [first, second, outcome] = [
    [1, false, 'unknown'],
    [2, false, 'failed'],
    [3, true, 'delivered'],
  ]
  for (const [{ report }, expected] of [
    [await poll(account), [first, second, outcome]],
    [body.data as Batch, [first, second, outcome]],
    [await inquire(account, msgKey), [outcome, first, second]],
  ] as const)
    assert.deepEqual(
      report.map(({ step, last, outcome: result }) => [step, last, result]),
      expected,
    )
})

test('an inquiry returns the outcome first to an account that gets neither step nor last', async () => {
  const account = await api.account({ reportKeys: 'plain' })
  const msgKey = await endFlow(account, ['failed', 'delivered'])
  const codesOf = ({ report }: Batch) => report.map(({ reportCode }) => reportCode)
  const [failed, delivered] = codesOf(await poll(account))
  assert.equal(delivered, '10000')
  assert.deepEqual(codesOf(await inquire(account, msgKey)), [delivered, failed])
})

test('reports of erased messages have no recipient', async () => {
  const account = await api.account()
  const [msgKey] = await ended(account, 1)
  await eraseRecipient(database, account.id, acceptedJob().to)
  assert.equal('to' in (await poll(account)).report[0]!, false)
  assert.equal('to' in (await inquire(account, msgKey!)).report[0]!, false)
})

test('reports of encrypted messages have the recipient', async (t) => {
  const masterKey = localMasterKey(randomBytes(32))
  const encryption = new Encryption({ current: masterKey, readable: [masterKey] })
  // The API of the other tests has no encryption, and stores its keys in plaintext.
  await database.query('delete from data_keys')
  await messageCipher.open(database, encryption, { sealing: true })
  t.after(() => messageCipher.close())
  const account = await api.account()
  const job = await ensureSealed(acceptedJob({ accountId: account.id, to: '01055554444' }))
  await close(await recordJobs(database, [job]))
  assert.equal((await poll(account)).report[0]!.to, '01055554444')
})

const minimalKeys = 'carrier msgKey msgType ref reportCode reportText reportTime reportType serviceType'
const plainKeys = `${minimalKeys} sendTime`

test('plain report keys are those of the contract, minimal ones those that every published client knows', async () => {
  for (const [reportKeys, serviceType, polledKeys, inquiredKeys] of [
    ['plain', 'SMS', plainKeys, plainKeys],
    ['plain', 'INTERNATIONAL', `${plainKeys} resCnt`, `${plainKeys} resCnt`],
    ['plain', 'BRANDMESSAGE', plainKeys, `${plainKeys} userType`],
    ['minimal', 'INTERNATIONAL', minimalKeys, minimalKeys],
    ['minimal', 'BRANDMESSAGE', minimalKeys, minimalKeys],
  ] as const) {
    const account = await api.account({ reportKeys, partCounts: true })
    const [msgKey] = await ended(account, 1, 'order 7')
    await database.query(`update reports set user_type = 'F', service_type = $2 where msg_key = $1`, [
      msgKey,
      serviceType,
    ])
    const keysOf = ({ report }: Batch): string[] => Object.keys(report[0]!).sort()
    assert.deepEqual(keysOf(await poll(account)), polledKeys.split(' ').sort(), reportKeys)
    assert.deepEqual(keysOf(await inquire(account, msgKey!)), inquiredKeys.split(' ').sort(), reportKeys)
  }
})

test('an inquiry distinguishes open, closed and unknown messages', async () => {
  const [account, other] = [await api.account(), await api.account()]
  const [closed] = await ended(account, 1)
  const { msgKey: open } = await recordOne(database, { accountId: account.id })
  const stateOf = async (asking: TestAccount, msgKey: string): Promise<unknown> =>
    (await api.call(asking, 'GET', `/v1/report/inquiry/${msgKey}`)).body.state
  assert.equal(await stateOf(account, closed!), 'closed')
  assert.equal(await stateOf(account, open), 'open')
  const { msgKey: old } = await recordOne(database, {
    accountId: account.id,
    msgKey: createMsgKey('A1', new Date(clock.now() - 90_000_000)),
  })
  assert.equal(await stateOf(account, old), 'open')
  assert.equal(await stateOf(other, old), 'unknown')
  const ofOtherCell = `${old.slice(0, 17)}B1${old.slice(19)}`
  for (const msgKey of ['nonsense', ofOtherCell]) assert.equal(await stateOf(account, msgKey), 'unknown')
  // A recently accepted message can still wait in the broker.
  assert.equal(await stateOf(account, createMsgKey('A1', clock.date())), 'open')
  // Its reports are too old for an inquiry.
  await database.query(`update reports set created_at = now() - interval '31 days' where msg_key = $1`, [
    closed,
  ])
  assert.equal(await stateOf(account, closed!), 'closed')
})

test('only an account with full report keys receives a state and the error field', async () => {
  for (const reportKeys of ['plain', 'minimal'] as const) {
    const account = await api.account({ reportKeys })
    const { msgKey } = await recordOne(database, { accountId: account.id })
    const inquiry = await api.call(account, 'GET', `/v1/report/inquiry/${msgKey}`)
    assert.deepEqual(Object.keys(inquiry.body), ['code', 'result', 'data'])
    const refused = await api.call(account, 'POST', '/v1/send/sms', { to: '01012345678', text: 'hello' })
    assert.deepEqual(Object.keys(refused.body), ['code', 'result'])
  }
})

test('an account without the permission to poll can inquire', async () => {
  const account = await api.account({ mayPoll: false })
  const [msgKey] = await ended(account, 1)
  assert.equal(
    (await api.call(account, 'GET', '/v1/report/polling')).body.result,
    'No permission to Pull API',
  )
  assert.equal((await inquire(account, msgKey!)).report.length, 1)
})

test('an inquiry finds nothing for an unknown, open, malformed or third-party key', async () => {
  const [account, other] = [await api.account(), await api.account()]
  const [theirs] = await ended(other, 1)
  const [open] = await recordJobs(database, [acceptedJob({ accountId: account.id })])
  for (const msgKey of [
    theirs!,
    open!.msgKey,
    acceptedJob().msgKey,
    theirs!.toLowerCase(),
    'nonsense',
    "' or 1=1 --",
    '\0',
    '99991231235959999' + '00AAAAAAAAAAAAA',
  ]) {
    assert.deepEqual(await inquire(account, msgKey), { report: [] }, msgKey)
  }
})

test('the stream returns the same records as newline-delimited JSON', async () => {
  const account = await api.account()
  await ended(account, 3)
  const { body } = await api.call(account, 'GET', '/v1/report/stream')
  const lines = await api.server.inject({
    url: '/v1/report/stream',
    headers: { authorization: `Bearer ${account.token}`, accept: 'application/x-ndjson' },
  })
  const { cursor, report } = body.data as { cursor: string; report: object[] }
  assert.match(lines.headers['content-type'] as string, /^application\/x-ndjson/)
  assert.equal(lines.headers['report-cursor'], cursor)
  const read = lines.body.trimEnd().split('\n')
  assert.deepEqual(
    read.map((line) => JSON.parse(line) as object),
    report,
  )
})
