/**
 * Replies of recipients, from a live SMPP session to what an account reads: nothing is lost or shown to another account,
 * parts of long texts come in any order, twice, or not at all, and survive a restart of the process that received them.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { deliverBody, recorded } from '../../../test/support/smpp/fixtures.ts'
import { linkedCarrier } from '../../../test/support/smpp/linked-carrier.ts'
import { testMetrics } from '../../../test/support/silent-log.ts'
import type { Reply } from '../../carriers/connectors/reply.ts'
import { writeHeader, writeParameters } from '../../carriers/smpp/concatenation.ts'
import type { BodyOf } from '../../carriers/smpp/pdu.ts'
import { Encryption, openEncryption } from '../../platform/encryption/encryption.ts'
import { localMasterKey } from '../../platform/encryption/master-key.ts'
import { messageCipher } from '../../platform/encryption/message-cipher.ts'
import { acknowledgeBatch, pollFeed } from '../../records/feed/poll.ts'
import { replyFeed } from '../../records/replies/queries.ts'
import { noAccount } from '../../records/replies/reply.ts'
import { SenderIndex } from '../../trust/senders/sender-index.ts'
import { createKeywordReader } from '../../trust/suppression/choice.ts'
import { assignReplies, closeIncompleteReplies } from './replies.ts'
import { createReplySink } from './reply-sink.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
const blindIndex = await openEncryption({}).blindIndex(database)
const registered = new Map([
  ['number/0215880000', [1]],
  ['number/15771577', [2, 3]],
  ['chatbot/15881588', [4]],
])
const findSenderAccounts = (kind: string, value: string) => [...(registered.get(`${kind}/${value}`) ?? [])]
const trust = { findSenderAccounts, findHolders: findSenderAccounts }
const route = { id: 'north', accounts: [], protocol: 'smpp' } as const

/** Creates the sink of another process, which only knows the tables, like after a restart. */
const newSink = (known: typeof trust | Pick<SenderIndex, 'findSenderAccounts' | 'findHolders'> = trust) =>
  createReplySink({
    publisher: broker.publisher,
    topology,
    database,
    metrics: testMetrics(),
    cell: '00',
    trust: known,
    readKeyword: createKeywordReader(),
    openBlindIndex: () => Promise.resolve(blindIndex),
  })
const sink = newSink()

async function read(accountId: number): Promise<string[]> {
  const { batchId, rows } = await pollFeed(database, replyFeed, accountId)
  if (batchId !== '') assert.ok(await acknowledgeBatch(database, replyFeed, accountId, batchId))
  return rows.map(({ content, missing, choice }) =>
    [
      content?.text,
      ...(missing > 0 ? [`${missing} missing`] : []),
      ...(choice === null ? [] : [choice]),
    ].join(' | '),
  )
}

const from = '01012345678'
const to = [{ kind: 'number', value: '0215880000' }] as const
const part = (text: string, number: number, parts: number, reference = 7, bits: 8 | 16 = 8): Reply => ({
  from,
  to,
  text,
  part: { bits, reference, part: number, parts },
})

test('a text over a session is stored before it is acknowledged, in every alphabet and form', async (t) => {
  const record = recorded()
  const context = { ...record.context, onReply: (reply: Reply) => sink(route, reply, 'login') }
  const { session } = await linkedCarrier(t, {}, {}, { ...record, context })
  const deliver = async (
    sequence: number,
    body: Partial<BodyOf<'deliver_sm'>>,
    tlvs: Parameters<typeof session.send>[3]['tlvs'] = [],
  ): Promise<void> => {
    const sent = { ...deliverBody({ esmClass: 0, destination: '82215880000', destinationTon: 1 }), ...body }
    session.send('deliver_sm', 0, sequence, { ...sent, tlvs })
    await session.got('deliver_sm_resp', sequence)
  }
  const segment = { reference: 0x1234, parts: 2, part: 1 }
  await deliver(1, { shortMessage: Buffer.of(0, 0x1b, 0x65, 0x21) })
  await deliver(2, { dataCoding: 8, shortMessage: Buffer.from('네 😀', 'utf16le').swap16() })
  await deliver(3, { dataCoding: 14, shortMessage: Buffer.from('b0a1', 'hex') })
  await deliver(4, {
    esmClass: 0x40,
    shortMessage: Buffer.concat([writeHeader('udh16', { ...segment, part: 2 }), Buffer.from('world')]),
  })
  await deliver(5, {
    esmClass: 0x40,
    shortMessage: Buffer.concat([writeHeader('udh16', segment), Buffer.from('hello ')]),
  })
  await deliver(6, { shortMessage: Buffer.from('sar ') }, writeParameters({ ...segment, reference: 9 }))
  await deliver(
    7,
    { shortMessage: Buffer.from('too') },
    writeParameters({ ...segment, reference: 9, part: 2 }),
  )
  await deliver(8, {}, [{ tag: 0x0424, value: Buffer.from('in the payload') }])
  // No text: acknowledged, and nothing to store.
  await deliver(9, { dataCoding: 4, shortMessage: Buffer.of(1, 2, 3) })
  assert.ok(session.of('deliver_sm_resp').every(({ commandStatus }) => commandStatus === 0))
  assert.deepEqual(await read(1), ['@€!', '네 😀', '가', 'hello world', 'sar too', 'in the payload'])
  assert.equal(record.events.filter((event) => event === 'reply').length, 9)
  assert.doesNotMatch(JSON.stringify(record.lines), /hello|12345678/)
})

test('a text that cannot be stored gets a temporary error', async (t) => {
  const record = recorded()
  const context = { ...record.context, onReply: () => Promise.reject(new Error('unavailable')) }
  const { session } = await linkedCarrier(t, {}, {}, { ...record, context })
  session.send('deliver_sm', 0, 5, deliverBody({ esmClass: 0 }, 'hello'))
  assert.equal((await session.got('deliver_sm_resp')).commandStatus, 0x64)
})

test('parts make one reply in any order, through several processes, and each counts once', async () => {
  await sink(route, part('c', 3, 3))
  await newSink()(route, part('a', 1, 3))
  await newSink()(route, part('a', 1, 3))
  assert.deepEqual(await read(1), [])
  // The same reference in another size, between other numbers and in a text of another length is another one.
  await sink(route, part('x', 2, 3, 7, 16))
  await sink(route, { ...part('y', 2, 3), from: '01099998888' })
  await sink(route, part('z', 2, 4))
  assert.deepEqual(await read(1), [])
  await newSink()(route, part('b', 2, 3))
  assert.deepEqual(await read(1), ['abc'])
  // Repeated parts change nothing; another text with the same reference is the next message.
  await sink(route, part('b', 2, 3))
  await sink(route, part('A', 1, 3))
  await sink(route, part('C', 3, 3))
  await sink(route, part('B', 2, 3))
  assert.deepEqual(await read(1), ['ABC'])
})

test('a text of many parts has the same maximum length as other replies', async () => {
  await sink(route, part('x'.repeat(6_000), 1, 2, 40))
  await sink(route, part('x'.repeat(6_000), 2, 2, 40))
  const [text] = await read(1)
  assert.equal(text?.length, 10_000)
})

test('half of a character at the end of a part is joined with its other half', async () => {
  await sink(route, part('ok \ud83d', 1, 2, 50))
  await sink(route, part('\ude00!', 2, 2, 50))
  assert.deepEqual(await read(1), ['ok 😀!'])
})

test('a reply with a lost part is stored as incomplete, and late parts are kept', async () => {
  await database.query('delete from reply_series')
  await sink(route, part('first ', 1, 3, 60))
  await sink(route, part('third', 3, 3, 60))
  await closeIncompleteReplies(database)
  assert.deepEqual(await read(1), [])
  await closeIncompleteReplies(database, -1)
  assert.deepEqual(await read(1), ['first third | 1 missing'])
  await closeIncompleteReplies(database, -1)
  await sink(route, part('second ', 2, 3, 60))
  await sink(route, part('second ', 2, 3, 60))
  await sink(route, part('third', 3, 3, 60))
  assert.deepEqual(await read(1), ['second  | 2 missing'])
  // The next message with the same reference while one is open: the open one is not lost.
  await sink(route, part('one', 1, 2, 61))
  await sink(route, part('two', 1, 2, 61))
  await sink(route, part('three', 2, 2, 61))
  assert.deepEqual(await read(1), ['one | 1 missing', 'twothree'])
})

test('parts that arrive at the same time in two processes make one reply', async () => {
  const parts = Array.from({ length: 12 }, (_, index) =>
    part(String.fromCharCode(97 + index), index + 1, 12, 70),
  )
  const sinks = [newSink(), newSink(), newSink()]
  await Promise.all([...parts, ...parts].map((reply, index) => sinks[index % 3]!(route, reply)))
  assert.deepEqual(await read(1), ['abcdefghijkl'])
})

test('a reply belongs to one account, or to none until its account is known', async () => {
  const text = (value: string, kind: 'number' | 'chatbot' = 'number'): Reply => ({
    from,
    to: [{ kind, value }],
    text: `to ${value}`,
  })
  await sink(route, text('15881588', 'chatbot'))
  await sink(route, text('15881588'))
  await sink(route, text('15771577'))
  await sink({ ...route, accounts: [3, 9] }, text('15771577'))
  await sink({ ...route, accounts: [5] }, text('15999999'))
  await sink({ ...route, accounts: [5, 6] }, text('15999999'))
  const texts = async (ids: readonly number[]) => Promise.all(ids.map((id) => read(id)))
  assert.deepEqual(await texts([2, 3, 4, 5, 6]), [[], ['to 15771577'], ['to 15881588'], ['to 15999999'], []])
  const waiting = { database, trust, routes: { value: [] } }
  await assignReplies(waiting)
  assert.deepEqual(await texts([2, 3, 4, 5, 6]), [[], [], [], [], []])
  registered.set('number/15881588', [8]).set('number/15771577', [2])
  await assignReplies(waiting)
  assert.deepEqual(await texts([2, 8]), [['to 15771577'], ['to 15881588']])
  const { rows } = await database.query('select from replies where account_id = $1', [noAccount])
  assert.equal(rows.length, 1)
})

test('an account gets replies only after it has registered the number', async () => {
  const senders = new SenderIndex()
  const register = (accountId: number, state: 'pending' | 'active', createdAt: Date): void =>
    senders.apply({
      version: '1',
      senders: [{ accountId, kind: 'number', value: '18001800', state, validUntil: null, createdAt }],
    })
  const index = {
    findSenderAccounts: senders.findSenderAccounts.bind(senders),
    findHolders: senders.findHolders.bind(senders),
  }
  const yesterday = new Date(Date.now() - 86_400_000)
  const assign = async () => {
    await assignReplies({ database, trust: index, routes: { value: [] } })
    return [await read(21), await read(22)]
  }
  const reply = (text: string): Reply => ({ from, to: [{ kind: 'number', value: '18001800' }], text })
  register(21, 'pending', yesterday)
  await newSink(index)(route, reply('pending'))
  await database.query(
    `update replies set created_at = created_at - interval '1 hour' where content like '%18001800%'`,
  )
  assert.deepEqual(await assign(), [[], []])
  register(22, 'active', new Date(Date.now() - 1_000))
  await newSink(index)(route, reply('next to a pending one'))
  assert.deepEqual(await assign(), [[], ['next to a pending one']])
  register(21, 'active', yesterday)
  assert.deepEqual(await assign(), [['pending'], []])
  const { rows } = await database.query<{ kept: boolean }>(
    `select created_at < now() - interval '30 minutes' as kept from replies where account_id = 21`,
  )
  assert.deepEqual(rows, [{ kept: true }])
})

test('a reply with a carrier id is stored once, even if it arrives twice concurrently', async () => {
  const reply: Reply = { from, to, text: 'once', id: 'c-1' }
  await Promise.all([sink(route, reply, 'a'), newSink()(route, reply, 'a'), sink(route, reply, 'b')])
  await sink(route, reply, 'a')
  assert.deepEqual(await read(1), ['once', 'once'])
})

test('an opt-out keyword is stored as a reply and suppresses the recipient', async () => {
  const before = await broker.depth(topology.optOuts)
  for (const text of ['STOP', 'ARRET', 'BAJA', 'PARAR', '수신거부', 'Start', 'stop it please'])
    await sink(route, { from, to, text })
  assert.equal(await broker.depth(topology.optOuts), before + 6)
  assert.deepEqual(await read(1), [
    'STOP | opt-out',
    'ARRET | opt-out',
    'BAJA | opt-out',
    'PARAR | opt-out',
    '수신거부 | opt-out',
    'Start | opt-in',
    'stop it please',
  ])
})

test('encrypted replies contain no plaintext in rows and stay readable for accounts', async () => {
  const key = localMasterKey(randomBytes(32))
  const encryption = new Encryption({ current: key, readable: [key] })
  await encryption.wrapFirstKeys(database)
  await messageCipher.open(database, encryption, { sealing: true })
  addCleanup(() => messageCipher.close())
  await sink(route, { from: '01044443333', to, text: 'a secret' })
  await sink(route, { ...part('half a ', 1, 2, 80), from: '01044443333' })
  const stored = await database.query(
    'select r::text from replies r union all select p::text from reply_parts p',
  )
  assert.doesNotMatch(JSON.stringify(stored.rows), /44443333|a secret|half a/)
  await sink(route, { ...part('secret', 2, 2, 80), from: '01044443333' })
  assert.deepEqual(await read(1), ['a secret', 'half a secret'])
})
