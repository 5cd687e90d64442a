/**
 * Opt-outs that carriers report: requests of RBM, MaaP and MM7 suppress the recipient for the accounts that the sender is
 * registered for. They are in the broker before the carrier gets a response, and stored later, once and in order.
 */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { createTestAuditContext } from '../../../test/support/audit-context.ts'
import { maapOptions, webhookToken } from '../../../test/support/carriers/maap.ts'
import { mm7Options } from '../../../test/support/carriers/mm7.ts'
import { openPipeline } from '../../../test/support/pipeline/pipeline.ts'
import { rbmOptions } from '../../../test/support/carriers/rbm.ts'
import { testRoute } from '../../../test/support/routes.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { openEncryption } from '../../platform/encryption/encryption.ts'
import { registerSenders } from '../../trust/senders/register.ts'
import { allAccountsId } from '../../trust/suppression/choice.ts'
import { findChoice, toRecipientKey } from '../../trust/suppression/store.ts'

const pipeline = await openPipeline()
const { database, broker, topology, api } = pipeline
const blindIndex = await openEncryption({}).blindIndex(database)
const accounts: number[] = []
for (let n = 0; n < 5; n++) accounts.push((await api.account()).id)
const [branded, chatting, alsoChatting, texting, routed] = accounts as [
  number,
  number,
  number,
  number,
  number,
]
const proof = { kind: 'operator', reference: 'T-1', issued: null } as const
await registerSenders(
  database,
  (
    [
      [branded, 'brand', 'BK.shop'],
      [chatting, 'chatbot', '15881588'],
      [alsoChatting, 'chatbot', '15881588'],
      [texting, 'number', '0212345678'],
    ] as const
  ).map(([accountId, kind, value]) => ({ accountId, kind, value, state: 'active', proof, validUntil: null })),
  createTestAuditContext(),
)
await api.trust.cache.refresh()
const agents = { 'BK.shop': 'shop_agent' }
await pipeline.addRoute(testRoute('rbm', { protocol: 'rbm', options: { ...rbmOptions({ agents }) } }))
await pipeline.addRoute(testRoute('maap', { protocol: 'maap', options: { ...maapOptions() } }))
const kt = { ...mm7Options({ dialect: 'kt', partnerId: 'p' }) }
await pipeline.addRoute(testRoute('mm7', { protocol: 'mm7', accounts: [routed], options: kt }))

async function post(url: string, payload: string, headers: Record<string, string> = {}): Promise<void> {
  const { statusCode } = await api.server.inject({ method: 'POST', url: `/inbound/${url}`, payload, headers })
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
  const found = await findChoice(database, toRecipientKey(blindIndex, accountId, to), accountId)
  return found === null ? 'unknown' : `${found.state} by ${found.source}`
}

test("opt-outs are durable before the response and stored for the sender's accounts", async () => {
  await event('+821011110001', 'UNSUBSCRIBE')
  // None of these three is an opt-out: an unknown agent, an unknown word, and an invalid number.
  await event('+821011110002', 'UNSUBSCRIBE', 'other_agent')
  await chat('01011110003', 'when do you open?')
  await chat('anonymous', 'STOP')
  await chat('01011110004', '수신 거부')
  await mms('821011110005', '82212345678', 'stop')
  await mms('01011110006', '0299999999', 'STOP')
  await event('+821011110007', 'UNSUBSCRIBE', 'acme_agent')
  assert.equal(await broker.depth(topology.optOuts), 5)
  await pipeline.startWorker()
  await waitFor('the last opt-out', async () => (await stateOf(allAccountsId, '01011110007')) !== 'unknown')
  assert.deepEqual(
    await Promise.all([
      stateOf(branded, '01011110001'),
      stateOf(chatting, '01011110004'),
      stateOf(alsoChatting, '01011110004'),
      stateOf(texting, '01011110005'),
      // The sender is not registered: the accounts of the route, or all.
      stateOf(routed, '01011110006'),
      stateOf(allAccountsId, '01011110007'),
    ]),
    [
      'suppressed by carrier',
      'suppressed by reply',
      'suppressed by reply',
      'suppressed by reply',
      'suppressed by reply',
      'suppressed by carrier',
    ],
  )
  const { rows } = await database.query('select from recipient_choices')
  assert.equal(rows.length, 6)
})

test('an opt-out is stored although the account has filled its list', async () => {
  await database.query('update suppression_counts set suppressed = 2000000')
  await event('+821011110009', 'UNSUBSCRIBE')
  await waitFor(
    'the opt-out',
    async () => (await stateOf(branded, '01011110009')) === 'suppressed by carrier',
  )
  await database.query('update suppression_counts set suppressed = 1')
})

test('a repeated opt-out does not suppress a recipient who opted in again', async () => {
  await event('+821011110001', 'SUBSCRIBE')
  await waitFor('the opt-in', async () => (await stateOf(branded, '01011110001')) === 'none by carrier')
  const recipient = toRecipientKey(blindIndex, branded, '01011110001').toString('base64')
  const late = { v: 1, kind: 'opt-out', routeId: 'rbm', choices: [{ accountId: branded, recipient }] }
  await broker.publisher.send(
    topology.optOuts,
    JSON.stringify({ ...late, state: 'suppressed', source: 'carrier', at: Date.now() - 60_000 }),
  )
  await chat('01011110008', 'STOP')
  await waitFor('the next opt-out', async () => (await stateOf(chatting, '01011110008')) !== 'unknown')
  assert.equal(await stateOf(branded, '01011110001'), 'none by carrier')
})
