import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mm7Options } from '../../../../test/support/carriers/mm7.ts'
import type { InboundRequest } from '../options/kind.ts'
import { createInbound } from '../registry.ts'

const path = '/token-of-the-reports'

function request(body: string, overrides: Partial<InboundRequest> = {}): InboundRequest {
  const headers = { 'content-type': 'text/xml; charset="euc-kr"' }
  return {
    method: 'POST',
    path,
    query: new URLSearchParams(),
    headers,
    body: Buffer.from(body),
    ...overrides,
  }
}

const soap = (operation: string, content: string, transaction = 'a&amp;b'): string =>
  `<env:Envelope xmlns:env="x"><env:Header><mm7:TransactionID>${transaction}</mm7:TransactionID></env:Header>` +
  `<env:Body><mm7:${operation}>${content}</mm7:${operation}></env:Body></env:Envelope>`

const inbound = (overrides: object) => createInbound('mm7', mm7Options(overrides))!

test('a KT report becomes a receipt and is acknowledged with its TransactionID', () => {
  const { receipts, response } = inbound({ dialect: 'kt', partnerId: 'p' })(
    request(
      soap(
        'DeliveryReportReq',
        '<MM7Version>1.0</MM7Version><MessageID>01210005_20051215130409809</MessageID><Recipient><Number>0182189000</Number>' +
          '</Recipient><Sender><Number>0168703782</Number></Sender><TimeStamp>2005-12-15T13:04:27+09:00</TimeStamp><MMStatus>4302</MMStatus>',
      ),
    ),
  )
  assert.deepEqual(receipts, [
    {
      carrierId: '01210005_20051215130409809',
      result: 'failed',
      cause: 'no-subscriber',
      code: '4302',
      carrier: '10001',
      portedTo: '10001',
      recipient: '0182189000',
      sender: '0168703782',
      at: new Date('2005-12-15T04:04:27Z'),
    },
  ])
  assert.equal(response.status, 200)
  assert.equal(response.contentType, 'text/xml; charset="euc-kr"')
  assert.match(response.body!, />a&amp;b<\/mm7:TransactionID>.*<mm7:DeliveryReportRsp .*<StatusCode>1000</)
})

test('a keep-alive of KT gets a response', () => {
  const { receipts, events, response } = inbound({ dialect: 'kt', partnerId: 'p' })(
    request(soap('EchoReq', '<MM7Version>1.0</MM7Version>')),
  )
  assert.deepEqual([receipts, events, response.status], [[], ['echo'], 200])
  assert.match(response.body!, />a&amp;b<\/mm7:TransactionID>.*<mm7:EchoRsp .*<StatusCode>1000</)
})

test('reads the report of SKT, a DeliverReportReq with a Status and the called network', () => {
  const { receipts } = inbound({ dialect: 'skt', partnerId: 'p', skt: { relayId: '1' } })(
    request(
      soap(
        'DeliverReportReq',
        '<MessageID>9</MessageID><Recipient><Number>010</Number></Recipient><Sender>02</Sender><CalledNet>KTF</CalledNet>' +
          '<TimeStamp>2026-11-15T13:04:27</TimeStamp><Status><StatusCode>1000</StatusCode></Status>',
      ),
    ),
  )
  const [{ result, carrier, sender, at }] = receipts as [(typeof receipts)[0]]
  assert.deepEqual(
    [result, carrier, sender, at],
    ['delivered', '10002', '02', new Date('2026-11-15T04:04:27Z')],
  )
})

test('matches a report by our reference and prefers codes of the options', () => {
  const reference = '20261115000000000C00A00000000001-1-1-1'
  const { receipts } = inbound({ dialect: 'lgu', reportCodes: { 3001: 'pending' } })(
    request(
      soap('DeliveryReportReq', '<MessageID>9</MessageID><MMStatus>3001</MMStatus>', `\n${reference} `),
    ),
  )
  assert.deepEqual([receipts[0]!.reference, receipts[0]!.result], [reference, 'pending'])
})

test('other requests are acknowledged and counted, or get an error; none becomes a receipt', () => {
  const read = inbound({ dialect: '3gpp' })
  const reply = read(request(soap('DeliverReq', '<Sender>1</Sender>')))
  assert.deepEqual([reply.receipts, reply.events], [[], ['reply']])
  assert.match(reply.response.body!, /<DeliverRsp .*1000/)
  assert.match(read(request(soap('CancelReq', ''))).response.body!, /<VASPErrorRsp .*4003/)
  const incomplete = read(request(soap('DeliveryReportReq', '<MMStatus>1000</MMStatus>')))
  assert.deepEqual(incomplete.receipts, [])
  assert.match(incomplete.response.body!, /<VASPErrorRsp .*2007/)
  assert.equal(read(request('<html>')).response.status, 400)
  assert.equal(read(request('', { method: 'GET' })).response.status, 405)
})

test('a request without the token or with another password is refused before it is parsed', () => {
  const report = soap('DeliveryReportReq', '<MessageID>9</MessageID><MMStatus>Retrieved</MMStatus>')
  const byToken = inbound({ dialect: '3gpp' })
  for (const wrong of ['/', '/token-of-the-report', `${path}/x`])
    assert.deepEqual(byToken(request(report, { path: wrong })), { receipts: [], response: { status: 401 } })
  const byPassword = inbound({
    dialect: '3gpp',
    webhookToken: undefined,
    reportUser: 'u',
    reportPassword: 'p',
  })
  const headers = (login: string) => ({
    headers: { authorization: `Basic ${Buffer.from(login).toString('base64')}` },
  })
  assert.equal(byPassword(request(report, { path: '/' })).response.status, 401)
  assert.equal(byPassword(request(report, { path: '/', ...headers('u:q') })).response.status, 401)
  assert.equal(byPassword(request(report, { path: '/', ...headers('u:p') })).receipts.length, 1)
})

test('contradictory options are refused', () => {
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ dialect: 'kt' }, /partnerId is required for kt/],
    [{ dialect: 'skt', partnerId: 'p' }, /skt\.relayId is required/],
    [{ dialect: 'lgu', user: 'u' }, /user and password/],
    [{ dialect: 'lgu', webhookToken: undefined }, /webhookToken, or/],
    [{ dialect: 'lgu', repeatable: true, transactionIdDigits: 5 }, /repeatable must be false/],
    [{ dialect: 'lgu', tls: { cert: 'not PEM' } }, /tls\.cert must be valid PEM/],
  ]
  for (const [options, message] of wrong) assert.throws(() => mm7Options(options), message)
})

test('accepts the previous token after a change', () => {
  const read = inbound({
    dialect: 'lgu',
    webhookToken: 'another-token-of-reports',
    previousWebhookToken: path.slice(1),
  })
  const body = soap('DeliveryReportReq', '<MessageID>1</MessageID><MMStatus>1000</MMStatus>')
  const statuses = [path, '/another-token-of-reports', '/yet-another-token-of-reports'].map(
    (requested) => read(request(body, { path: requested })).response.status,
  )
  assert.deepEqual(statuses, [200, 200, 401])
})
