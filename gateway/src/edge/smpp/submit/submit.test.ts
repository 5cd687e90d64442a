import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { createTestDatabase } from '../../../../test/support/engines/database.ts'
import { createAccount } from '../../../../test/support/fixtures.ts'
import { createMemoryLog } from '../../../../test/support/memory-log.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import type { Account } from '../../../identity/accounts/account.ts'
import { loadAccounts } from '../../../identity/accounts/queries.ts'
import type { LimitOptions } from '../../api/limits/http.ts'
import { invalidField, Problem } from '../../../contract/problem.ts'
import type { Send } from '../../../pipeline/accept/send.ts'
import { BrokerUnavailable } from '../../../platform/broker/publish.ts'
import type { Database } from '../../../platform/database/database.ts'
import { openEncryption } from '../../../platform/encryption/encryption.ts'
import { statuses } from '../../../carriers/smpp/status.ts'
import { endSeries } from './end-series.ts'
import { partsWaitSeconds } from './series.ts'
import { createSubmit } from './submit.ts'
import type { SubmitRequest } from './submit-request.ts'

const { database } = await createTestDatabase()
await createAccount(database, 'parts', { smppBinds: 1, limits: { send: 10, report: 0, file: 0, form: 0 } })
const [account] = await loadAccounts(database)
const encryption = openEncryption({})
const { log } = createMemoryLog()

let accepted: { readonly msgKey: string; readonly text: string }[] = []
/** Number of messages that were counted with the limit of the account. */
let counted = 0
let granted = true
/** Hook before a message is accepted: may wait or throw. */
let beforeAccept: (text: string) => Promise<void> | undefined = () => undefined
let reference = 0

beforeEach(async () => {
  accepted = []
  counted = 0
  granted = true
  beforeAccept = () => undefined
  reference += 1
  await database.query('delete from smpp_series')
  await database.query('delete from smpp_receipts')
})

const send: Pick<Send, 'simple'> = {
  async simple(_account, _channel, body, options) {
    const { text } = body as { text: string }
    await beforeAccept(text)
    accepted.push({ msgKey: options!.reserved!.msgKey, text })
    return { msgKey: options!.reserved!.msgKey, draft: null as never }
  },
}

const limits: LimitOptions = {
  limiter: {
    giveBack: () => Promise.resolve(),
    consumeAll: () => Promise.reject(new Error('not called')),
    consume: () => {
      counted += 1
      return Promise.resolve({ granted, remaining: 0, resetSeconds: 1, retryAfterSeconds: 1 })
    },
  },
  defaults: { send: 0, report: 0, file: 0, form: 0 },
}

function open(used: Database = database) {
  return createSubmit({
    send,
    limits,
    database: used,
    cell: 'a',
    log,
    openBlindIndex: () => encryption.blindIndex(database),
  })
}
const submit = open()

function part(number: number, text: string, parts = 2): SubmitRequest {
  return {
    sender: { number: '0234567890', ton: 0, npi: 0, form: 'd' },
    recipient: { number: '01012345678', ton: 0, npi: 0, form: 'd' },
    body: { alphabet: 'gsm7', octets: Buffer.from(text).toString('base64'), headerBytes: 6 },
    segment: { bits: 8, reference, part: number, parts },
    registered: 1,
    reference: null,
    ttlSeconds: null,
    until: null,
    sendAt: null,
  }
}

const submitAndGetStatus = async (request: SubmitRequest, by = submit) =>
  (await by(account as Account, request)).status
const texts = () => accepted.map(({ text }) => text)

async function receipts(): Promise<string[]> {
  const { rows } = await database.query<{ found: string }>(
    `select message_id || ' ' || error as found from smpp_receipts order by id`,
  )
  return rows.map(({ found }) => found.replace(/^\w+/, 'id'))
}

/** Moves the times of waiting messages back by `seconds` and ends those that are due. */
async function end(seconds = partsWaitSeconds + 1): Promise<void> {
  await database.query(`update smpp_series set last_at = last_at - $1 * interval '1 second'`, [seconds])
  await endSeries({ database, send, getAccount: () => account, log })
}

/** Holds the acceptance of the first message until `release`. */
function holdFirst(): { readonly isHeld: () => boolean; readonly release: (error?: Error) => void } {
  let isWaiting = false
  const { promise, resolve, reject } = Promise.withResolvers<undefined>()
  beforeAccept = () => {
    if (isWaiting) return
    isWaiting = true
    return promise
  }
  return {
    isHeld: () => isWaiting,
    release: (error) => (error === undefined ? resolve(undefined) : reject(error)),
  }
}

test('the next message with a reference can begin while the first is accepted', async () => {
  const { isHeld, release } = holdFirst()
  await submitAndGetStatus(part(1, 'a1'))
  const last = submitAndGetStatus(part(2, 'a2'))
  await waitFor('the first message to be accepted', isHeld)
  assert.equal(await submitAndGetStatus(part(1, 'b1')), 0)
  release()
  assert.equal(await last, 0)
  assert.equal(await submitAndGetStatus(part(2, 'b2')), 0)
  assert.deepEqual(texts(), ['a1a2', 'b1b2'])
  assert.deepEqual(await receipts(), [])
})

test('the refusal of a message does not end the next one with its reference', async () => {
  const { isHeld, release } = holdFirst()
  const first = (await submit(account as Account, part(1, 'a1'))).messageId
  const last = submitAndGetStatus(part(2, 'a2'))
  await waitFor('the first message to be accepted', isHeld)
  await submitAndGetStatus(part(1, 'b1'))
  release(invalidField('A302', 'from', 'must be registered'))
  assert.equal(await last, statuses.ESME_RINVSRCADR)
  assert.deepEqual(await receipts(), ['id 997'])
  const { rows } = await database.query<object>('select 1 from smpp_receipts where message_id = $1', [first])
  assert.equal(rows.length, 1)
  assert.equal(await submitAndGetStatus(part(2, 'b2')), 0)
  assert.deepEqual(texts(), ['b1b2'])
})

test('a message whose acceptance could not be stored is not reported as incomplete', async () => {
  const failing = new Proxy(database, {
    get(target, key) {
      const value = Reflect.get(target, key) as unknown
      if (typeof value !== 'function') return value
      return (...values: { name?: string }[]) =>
        key === 'query' && values[0]?.name === 'close-smpp-series'
          ? Promise.reject(new Error('the connection was lost'))
          : (value as (...given: unknown[]) => unknown).apply(target, values)
    },
  })
  const by = open(failing)
  await submitAndGetStatus(part(1, 'a1'), by)
  assert.equal(await submitAndGetStatus(part(2, 'a2'), by), 0)
  await end()
  assert.deepEqual(await receipts(), [])
  assert.equal(new Set(accepted.map(({ msgKey }) => msgKey)).size, 1)
  await end()
  assert.equal((await database.query('select from smpp_series')).rowCount, 0)
})

test('a perhaps published message is accepted under its msgKey without repeated parts', async () => {
  const id = (await submit(account as Account, part(1, 'a1'))).messageId
  beforeAccept = () => {
    throw new BrokerUnavailable('no confirmation', { maybePublished: true })
  }
  assert.equal(await submitAndGetStatus(part(2, 'a2')), statuses.ESME_RSYSERR)
  beforeAccept = () => undefined
  await end()
  assert.deepEqual(accepted, [{ msgKey: id, text: 'a1a2' }])
  assert.deepEqual(await receipts(), [])
})

test('a temporarily refused last part completes the message when repeated', async () => {
  await submitAndGetStatus(part(1, 'a1'))
  beforeAccept = () => {
    throw new Problem('A920', 'busy')
  }
  assert.equal(await submitAndGetStatus(part(2, 'a2')), statuses.ESME_RSYSERR)
  beforeAccept = () => undefined
  assert.equal(await submitAndGetStatus(part(2, 'a2')), 0)
  assert.deepEqual(texts(), ['a1a2'])
  reference += 1
  await submitAndGetStatus(part(1, 'b1'))
  beforeAccept = () => {
    throw new Problem('A920', 'busy')
  }
  await submitAndGetStatus(part(2, 'b2'))
  beforeAccept = () => undefined
  await end()
  assert.deepEqual(texts(), ['a1a2'])
  assert.deepEqual(await receipts(), ['id 998'])
})

test('concurrent parts count once, and each message with a reused reference counts', async () => {
  const statusesOfParts = await Promise.all(
    [1, 2, 3, 4].map((number) => submitAndGetStatus(part(number, `a${number}`, 4))),
  )
  assert.deepEqual([statusesOfParts, counted], [[0, 0, 0, 0], 1])
  assert.deepEqual(texts(), ['a1a2a3a4'])
  for (let n = 0; n < 5; n++) await submitAndGetStatus(part(1, `b${n}`, 4))
  assert.equal(counted, 6)
  granted = false
  assert.equal(await submitAndGetStatus(part(1, 'c', 4)), statuses.ESME_RTHROTTLED)
  assert.equal(await submitAndGetStatus(part(2, 'c2', 4)), 0, 'the message that has begun goes on')
})

test('a message that begins like the previous one with its reference is kept', async () => {
  for (const [number, text] of [
    [1, 'Dear client, '],
    [2, 'your code is 1'],
    [1, 'Dear client, '],
    [2, 'your code is 2'],
  ] as const)
    assert.equal(await submitAndGetStatus(part(number, text)), 0)
  assert.deepEqual(texts(), ['Dear client, your code is 1', 'Dear client, your code is 2'])
  assert.notEqual(accepted[0]!.msgKey, accepted[1]!.msgKey)
})

test('a repeated part is recognized for half a minute after acceptance', async () => {
  await submitAndGetStatus(part(1, 'a1'))
  await submitAndGetStatus(part(2, 'a2'))
  const key = accepted[0]!.msgKey
  const again = async () => (await submit(account as Account, part(1, 'a1'))).messageId
  assert.equal(await again(), key)
  await database.query(`update smpp_series set last_at = last_at - interval '29 seconds'`)
  assert.equal(await again(), key)
  await database.query(`update smpp_series set last_at = last_at - interval '2 seconds'`)
  assert.notEqual(await again(), key)
})
