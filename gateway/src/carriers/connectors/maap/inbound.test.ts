import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maapOptions, relayOptions, webhookToken } from '../../../../test/support/carriers/maap.ts'
import type { InboundRequest } from '../options/kind.ts'
import { createInbound } from '../registry.ts'

const reference = '20261115000000000C00A00000000001-1-1-1'
const status = {
  clientMsgId: reference,
  chatbotId: '15881588',
  userContact: '01012345678',
  status: 'success',
  mnoInfo: 'LGU',
  timestamp: '2026-11-15T13:04:27.123+09',
}

function request(body: unknown, change: Partial<InboundRequest> = {}): InboundRequest {
  return {
    method: 'POST',
    path: `/${webhookToken}`,
    query: new URLSearchParams(),
    headers: {},
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    ...change,
  }
}

const readStatuses = createInbound('maap', { ...maapOptions() })!
const readRelay = createInbound('maap-kt', { ...relayOptions() })!

test('a status becomes a receipt with our reference, the carrier and its time', () => {
  const { receipts, response } = readStatuses(request([status]))
  assert.deepEqual(receipts, [
    {
      carrierId: reference,
      reference,
      result: 'delivered',
      cause: 'delivered',
      code: 'success',
      recipient: '01012345678',
      sender: '15881588',
      carrier: '10003',
      at: new Date('2026-11-15T04:04:27.123Z'),
    },
  ])
  assert.deepEqual([response.status, response.body], [200, '{"status":"200"}'])
  // A repeated status and a status outside an array are read in the same way.
  assert.deepEqual(readStatuses(request(status)).receipts, receipts)
})

test('the previous token is accepted as well, and no other', () => {
  const previousWebhookToken = 'previous-token-of-the-carriers'
  for (const [kind, options] of Object.entries({ maap: maapOptions(), 'maap-kt': relayOptions() })) {
    const open = createInbound(kind, { ...options, previousWebhookToken })!
    const statusAt = (path: string) => open(request([status], { path })).response.status
    assert.deepEqual(
      [`/${webhookToken}`, `/${previousWebhookToken}/KT`, '/', '/undefined'].map(statusAt),
      [200, 200, 401, 401],
    )
  }
  assert.equal(readStatuses(request([status], { path: '/undefined' })).response.status, 401)
})

test('the carrier is named by the path, where the status does not name it', () => {
  const unnamed = { ...status, mnoInfo: undefined }
  const at = (path: string) => readStatuses(request([unnamed], { path })).receipts[0]!.carrier
  assert.equal(at(`/${webhookToken}/SKT`), '10001')
  assert.equal(at(`/${webhookToken}/status/KT`), '10002')
  assert.equal(at(`/${webhookToken}/`), undefined)
  assert.equal(at(`/${webhookToken}/constructor`), undefined)
})

test('a status of the relay has other field names and contains the error of RCS', () => {
  const { clientMsgId, ...rest } = status
  const failed = { ...rest, msgId: clientMsgId, rcsId: 'client', status: 'fail', serviceType: 'RCSSMS' }
  const [receipt] = readRelay(request([{ ...failed, error: { code: '74001', message: 'm' } }])).receipts
  assert.deepEqual(
    [receipt!.reference, receipt!.result, receipt!.cause, receipt!.code],
    [reference, 'failed', 'spam', '74001'],
  )
  // The error has a numeric code, or none.
  assert.equal(readRelay(request([{ ...failed, error: { code: 75007 } }])).receipts[0]!.cause, 'unsupported')
  assert.equal(readRelay(request([failed])).receipts[0]!.cause, 'failed')
})

test('an uncertain status ends the step as unknown, unless the options give it another meaning', () => {
  for (const code of ['54004', '55806', '55820', '55821', '56002', '79998']) {
    const body = [{ ...status, status: 'fail', error: { code } }]
    const [receipt] = readStatuses(request(body)).receipts
    assert.deepEqual([receipt!.result, receipt!.cause], ['failed', 'outcome-unknown'], code)
    const waits = createInbound('maap', { ...maapOptions({ uncertain: 'pending' }) })!
    assert.equal(waits(request(body)).receipts[0]!.result, 'pending', code)
    const known = createInbound('maap', { ...maapOptions({ codes: { [code]: 'timeout' } }) })!
    assert.equal(known(request(body)).receipts[0]!.cause, 'timeout', code)
  }
})

test('replies and other statuses are counted and acknowledged', () => {
  const reply = { replyId: 'r', userContact: '01012345678', chatbotId: '15881588' }
  const events = (element: object) => {
    const result = readStatuses(request([element], { path: `/${webhookToken}/SKT` }))
    assert.deepEqual([result.receipts, result.response.status], [[], 200])
    return result.events
  }
  assert.deepEqual(events({ ...reply, eventType: 'message', messageBody: { textMessage: 'a' } }), ['reply'])
  assert.deepEqual(events({ ...reply, eventType: 'response', postbackData: 'a' }), ['reply'])
  assert.deepEqual(events({ ...reply, eventType: 'newUser' }), ['new-user'])
  assert.deepEqual(events({ ...status, status: 'displayed' }), ['other-status'])
})

test('refuses unreadable elements and keeps the readable ones', () => {
  for (const body of ['', '[]', '{', '[1]', '[{"status":"success"}]', 'null', '["a"]']) {
    const result = readStatuses(request(body))
    assert.deepEqual(
      [result.receipts, result.response.status, result.events],
      [[], 400, ['malformed-receipt']],
      body,
    )
  }
  const mixed = readStatuses(request([{}, status, 7]))
  assert.deepEqual(
    [mixed.receipts.length, mixed.response.status, mixed.events],
    [1, 200, ['malformed-receipt']],
  )
  assert.equal(readStatuses(request(Array.from({ length: 1_001 }, () => status))).response.status, 413)
  assert.equal(readStatuses(request([status], { method: 'GET' })).response.status, 405)
})

test('a request without the token is refused before it is parsed', () => {
  for (const path of ['/', '/SKT', `/${webhookToken.slice(1)}`, `/${webhookToken}x`, `/x/${webhookToken}`])
    assert.deepEqual(
      readStatuses(request([status], { path })),
      { receipts: [], response: { status: 401 } },
      path,
    )
  const polling = createInbound('maap-kt', {
    ...relayOptions({ webhookToken: undefined, results: 'polling' }),
  })!
  assert.equal(polling(request([status], { path: '/' })).response.status, 401)
})
