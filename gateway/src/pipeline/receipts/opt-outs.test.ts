/**
 * Opt-outs that carriers report: requests of RBM, MaaP and MM7 suppress the recipient for the accounts that the sender is
 * registered for. They are in the broker before the carrier is answered, and stored later, once and in order.
 */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { createTestBroker } from '../../../test/support/broker.ts'
import { atEnd } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { maapOptions, webhookToken } from '../../../test/support/maap.ts'
import { mm7Options } from '../../../test/support/mm7.ts'
import { rbmOptions } from '../../../test/support/rbm.ts'
import { testRoute } from '../../../test/support/routes.ts'
import { quietLog, testMetrics } from '../../../test/support/silent-log.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { createServer } from '../../api/server/server.ts'
import { openEncryption } from '../../platform/encryption/encryption.ts'
import { keyOf } from '../../trust/suppression/choice-index.ts'
import { createKeywordReader, everyAccount } from '../../trust/suppression/choice.ts'
import { findChoice } from '../../trust/suppression/queries.ts'
import { inboundRoutes } from './inbound.ts'
import { createReplySink } from './reply-sink.ts'
import { startStoringOptOuts } from './opt-outs.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
const metrics = testMetrics()
const blindIndex = await openEncryption({}).blindIndex(database)
const registered: Readonly<Record<string, readonly number[]>> = {
  'brand/BK.shop': [1],
  'chatbot/15881588': [2, 3],
  'number/0212345678': [4],
}
const routes = [
  testRoute('rbm', { protocol: 'rbm', options: { ...rbmOptions({ agents: { 'BK.shop': 'shop_agent' } }) } }),
  testRoute('maap', { protocol: 'maap', options: { ...maapOptions() } }),
  testRoute('mm7', {
    protocol: 'mm7',
    accounts: [5],
    options: { ...mm7Options({ dialect: 'kt', partnerId: 'p' }) },
  }),
]
const registeredFor = (kind: string, value: string) => [...(registered[`${kind}/${value}`] ?? [])]
const onReply = createReplySink({
  publisher: broker.publisher,
  topology,
  database,
  metrics,
  cell: '00',
  trust: { accountsOf: registeredFor, holdersOf: registeredFor },
  readKeyword: createKeywordReader(),
  openBlindIndex: () => Promise.resolve(blindIndex),
})
const server = createServer({
  log: quietLog,
  metrics,
  authenticated: [],
  authenticate: (_request, _reply, done) => done(new Error('a carrier has no token')),
  open: [
    inboundRoutes({
      routes: { loaded: true, value: routes },
      metrics,
      log: quietLog,
      onReceipt: () => Promise.resolve(),
      onReply,
    }),
  ],
})
atEnd(() => server.close())

async function post(url: string, payload: string, headers: Record<string, string> = {}): Promise<void> {
  const { statusCode } = await server.inject({ method: 'POST', url: `/inbound/${url}`, payload, headers })
  assert.equal(statusCode, 200)
}
function google(data: object): Promise<void> {
  const octets = Buffer.from(JSON.stringify(data))
  const signature = createHmac('sha512', 'client-token').update(octets).digest('base64')
  const message = { data: octets.toString('base64'), messageId: '1' }
  return post('rbm', JSON.stringify({ message }), { 'x-goog-signature': signature })
}
const event = (phone: string, eventType: string, agentId = 'shop_agent') =>
  google({ senderPhoneNumber: phone, eventType, eventId: 'e', agentId })
const chat = (phone: string, text: string) =>
  post(
    `maap/${webhookToken}/SKT`,
    JSON.stringify([
      {
        replyId: 'r',
        eventType: 'message',
        userContact: phone,
        chatbotId: '15881588',
        messageBody: { textMessage: text },
      },
    ]),
  )
function mms(phone: string, to: string, text: string): Promise<void> {
  const soap =
    `<env:Envelope xmlns:env="x"><env:Header><mm7:TransactionID>t</mm7:TransactionID></env:Header><env:Body><mm7:DeliverReq>` +
    `<Sender><Number>${phone}</Number></Sender><Recipients><To><Number>${to}</Number></To></Recipients></mm7:DeliverReq></env:Body></env:Envelope>`
  const parts = [
    `Content-Type: text/xml; charset="utf-8"\r\n\r\n${soap}`,
    `Content-Transfer-Encoding: base64\r\nContent-Type: text/plain; charset="utf-8"\r\n\r\n${Buffer.from(text).toString('base64')}`,
  ]
  const body = `${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`
  return post('mm7/token-of-the-reports', body, { 'content-type': 'multipart/related; boundary="b"' })
}

const stateOf = async (accountId: number, to: string): Promise<string> => {
  const found = await findChoice(database, keyOf(blindIndex, accountId, to), accountId)
  return found === null ? 'unknown' : `${found.state} by ${found.source}`
}

test('opt-outs are durable when the carrier is answered, and stored for the accounts of the sender', async () => {
  await event('+821011110001', 'UNSUBSCRIBE')
  // Of an agent that is not ours, of an unknown word, of what is no number.
  await event('+821011110002', 'UNSUBSCRIBE', 'other_agent')
  await chat('01011110003', 'when do you open?')
  await chat('anonymous', 'STOP')
  await chat('01011110004', '수신 거부')
  await mms('821011110005', '82212345678', 'stop')
  await mms('01011110006', '0299999999', 'STOP')
  await event('+821011110007', 'UNSUBSCRIBE', 'acme_agent')
  assert.equal(await broker.depth(topology.optOuts), 5)
  const storing = startStoringOptOuts({ broker, topology, database, metrics, log: quietLog })
  atEnd(() => storing.stop())
  await waitFor('the last opt-out', async () => (await stateOf(everyAccount, '01011110007')) !== 'unknown')
  assert.deepEqual(
    await Promise.all([
      stateOf(1, '01011110001'),
      ...[stateOf(2, '01011110004'), stateOf(3, '01011110004')],
      stateOf(4, '01011110005'),
      // Not registered: the accounts of the route, or all.
      ...[stateOf(5, '01011110006'), stateOf(everyAccount, '01011110007')],
    ]),
    [
      'suppressed by carrier',
      ...['suppressed by reply', 'suppressed by reply', 'suppressed by reply', 'suppressed by reply'],
      'suppressed by carrier',
    ],
  )
  const { rows } = await database.query('select from recipient_choices')
  assert.equal(rows.length, 6)
})

test('an opt-out is stored although the account has filled its list', async () => {
  await database.query('update suppression_counts set suppressed = 2000000')
  await event('+821011110009', 'UNSUBSCRIBE')
  await waitFor('the opt-out', async () => (await stateOf(1, '01011110009')) === 'suppressed by carrier')
  await database.query('update suppression_counts set suppressed = 1')
})

test('a recipient who opts in again is not suppressed by an opt-out that comes twice', async () => {
  await event('+821011110001', 'SUBSCRIBE')
  await waitFor('the opt-in', async () => (await stateOf(1, '01011110001')) === 'none by carrier')
  const recipient = keyOf(blindIndex, 1, '01011110001').toString('base64')
  const late = { v: 1, kind: 'opt-out', routeId: 'rbm', choices: [{ accountId: 1, recipient }] }
  await broker.publisher.send(
    topology.optOuts,
    JSON.stringify({ ...late, state: 'suppressed', source: 'carrier', at: Date.now() - 60_000 }),
  )
  await chat('01011110008', 'STOP')
  await waitFor('the next opt-out', async () => (await stateOf(2, '01011110008')) !== 'unknown')
  assert.equal(await stateOf(1, '01011110001'), 'none by carrier')
})
